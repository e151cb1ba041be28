// Input and output of sizing with holdings. Cells are joint outcomes of the events. A No share of bucket j
// pays 1 everywhere except in j, so it equals one USD minus one Yes share. Each bucket therefore has one
// coordinate, its net Yes exposure: selling No or buying Yes raises it, selling Yes or buying No lowers it.

export interface Holding {
  /** Index of the event in the cells, and of the bucket in that event's ladder. */
  event: number;
  bucket: number;
  yesShares: number;
  noShares: number;
  /** null if this trade is not available. */
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
  /** False if some outcome leaves no wealth even after selling everything, as the trades then do. */
  isSolvent: boolean;
}

/** Wealth in each cell, given the holdings and cash after the trades. */
export function computeWealth(
  { probabilities, winners, holdings }: AllocationProblem,
  trades: readonly Trade[],
  cashUsd: number,
): Float64Array {
  let everywhere = cashUsd;
  // Payout of the bucket's holdings if the bucket wins: Yes shares pay, No shares do not.
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
