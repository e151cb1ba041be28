// The question of sizing with holdings, and what an answer says. Cells are joint outcomes of the events.
//
// A No share of bucket j pays 1 everywhere but in j: it is one USD less one Yes share. So each bucket has one
// coordinate, its net Yes exposure, moved up by selling No or buying Yes and down by selling Yes or buying No.

export interface Holding {
  /** Index into the cells' events, and bucket in that event's ladder. */
  event: number;
  bucket: number;
  yesShares: number;
  noShares: number;
  /** null: this way of trading is not open. */
  yesCost: number | null;
  yesNetBid: number | null;
  noCost: number | null;
  noNetBid: number | null;
}

export interface AllocationProblem {
  probabilities: Float64Array;
  winners: readonly Int32Array[];
  cashUsd: number;
  holdings: readonly Holding[];
}

export interface Trade {
  buyYes: number;
  sellYes: number;
  buyNo: number;
  sellNo: number;
}

export interface Allocation {
  trades: Trade[];
  cashUsd: number;
  /** Wealth in each cell after the trades. */
  wealth: Float64Array;
  /** False when even selling everything leaves some outcome without wealth; the trades then sell everything. */
  isSolvent: boolean;
}

/** In each cell, holding what is held after the trades, and this cash. */
export function computeWealth(
  { probabilities, winners, holdings }: AllocationProblem,
  trades: readonly Trade[],
  cashUsd: number,
): Float64Array {
  let everywhere = cashUsd;
  // What a bucket's winning adds to what there is anyway: its Yes pay, and its No do not.
  const gains = winners.map(
    (won) => new Float64Array(won.reduce((most, bucket) => Math.max(most, bucket), 0) + 1),
  );
  holdings.forEach(({ event, bucket, yesShares, noShares }, i) => {
    const { buyYes, sellYes, buyNo, sellNo } = trades[i]!;
    const no = noShares + buyNo - sellNo;
    everywhere += no;
    const gain = gains[event]!;
    if (bucket < gain.length) gain[bucket]! += yesShares + buyYes - sellYes - no;
  });
  const wealth = new Float64Array(probabilities.length).fill(everywhere);
  winners.forEach((won, e) => {
    const gain = gains[e]!;
    for (let c = 0; c < wealth.length; c++) if (won[c]! >= 0) wealth[c]! += gain[won[c]!]!;
  });
  return wealth;
}
