// Exact growth-optimal allocation over the buckets of one event. At the optimum every bucket has a shadow
// price pi = p * M / W, where M is the wealth marked at shadow prices and W = C + exposure the wealth if the
// bucket wins. Given (M, C), each bucket is solved alone; C follows from sum(pi) = 1 and M from the budget:
// two nested bisections.

interface Step {
  kind: keyof Trade;
  /** Yes-equivalent price of one share of exposure. */
  price: number;
  capacity: number;
}

interface Outcome {
  probability: number;
  /** Net Yes exposure of the holding. */
  exposure: number;
  up: readonly Step[];
  down: readonly Step[];
}

const ROUNDS = 80;
const NO_TRADE: Trade = { buyYes: 0, sellYes: 0, buyNo: 0, sellNo: 0 };

/** null if insolvent, or if No shares tie up more cash than available; this method then has no solution. */
export function solveExclusiveAllocation(problem: AllocationProblem): Allocation | null {
  const holdingOf = new Map(problem.holdings.map((holding) => [holding.bucket, holding]));
  const outcomes = Array.from(problem.probabilities, (p, c) =>
    createOutcome(p, holdingOf.get(problem.winners[0]![c]!)),
  );
  // A No share counts as one USD that is lost if its bucket wins.
  const lockedUsd = problem.holdings.reduce((sum, holding) => sum + holding.noShares, 0);
  const startUsd = problem.cashUsd + lockedUsd;
  if (sellOutValue(problem.cashUsd, problem.holdings) <= 0) return null;
  const markedUsd = findMarkedWealth(outcomes, startUsd);
  const baseUsd = findBaseWealth(outcomes, markedUsd);
  return toAllocation(problem, outcomes, markedUsd, baseUsd);
}

function createOutcome(probability: number, holding: Holding | undefined): Outcome {
  if (!holding) return { probability, exposure: 0, up: [], down: [] };
  const { yesShares, noShares, yesCost, yesNetBid, noCost, noNetBid } = holding;
  const up: Step[] = [];
  const down: Step[] = [];
  if (noShares > 0 && noNetBid !== null) up.push({ kind: 'sellNo', price: 1 - noNetBid, capacity: noShares });
  if (yesCost !== null) up.push({ kind: 'buyYes', price: yesCost, capacity: Number.POSITIVE_INFINITY });
  if (yesShares > 0 && yesNetBid !== null) {
    down.push({ kind: 'sellYes', price: yesNetBid, capacity: yesShares });
  }
  // No on a dead bucket is equivalent to unlimited cash, so it is not sized.
  if (noCost !== null && probability > 0) {
    down.push({ kind: 'buyNo', price: 1 - noCost, capacity: Number.POSITIVE_INFINITY });
  }
  up.sort((a, b) => a.price - b.price);
  down.sort((a, b) => b.price - a.price);
  return { probability, exposure: yesShares - noShares, up, down };
}

/** Cash after selling everything that can be sold. */
function sellOutValue(cashUsd: number, holdings: readonly Holding[]): number {
  return holdings.reduce(
    (sum, h) => sum + h.yesShares * (h.yesNetBid ?? 0) + h.noShares * (h.noNetBid ?? 0),
    cashUsd,
  );
}

/** Trades step by step while the shadow price is outside the spread; returns the wealth at equilibrium. */
function settle(outcome: Outcome, markedUsd: number, baseUsd: number, trade?: Trade): number {
  let wealth = baseUsd + outcome.exposure;
  const stake = outcome.probability * markedUsd;
  for (const { kind, price, capacity } of outcome.up) {
    const wanted = stake / price - wealth;
    if (wanted <= 0) break;
    const shares = Math.min(wanted, capacity);
    if (trade) trade[kind] = shares;
    wealth += shares;
    if (shares < capacity) return wealth;
  }
  for (const { kind, price, capacity } of outcome.down) {
    const surplus = wealth - stake / price;
    if (surplus <= 0) break;
    const shares = Math.min(surplus, capacity);
    if (trade) trade[kind] = shares;
    wealth -= shares;
    if (shares < capacity) return wealth;
  }
  return wealth;
}

function shadowPrice(outcome: Outcome, markedUsd: number, baseUsd: number): number {
  if (outcome.probability <= 0) return 0;
  const wealth = settle(outcome, markedUsd, baseUsd);
  return wealth > 0 ? (outcome.probability * markedUsd) / wealth : Number.POSITIVE_INFINITY;
}

/** The C at which shadow prices sum to 1; 0 if they sum to less even without cash (an arbitrage). */
function findBaseWealth(outcomes: readonly Outcome[], markedUsd: number): number {
  const excess = (baseUsd: number) =>
    outcomes.reduce((sum, outcome) => sum + shadowPrice(outcome, markedUsd, baseUsd), -1);
  if (excess(0) <= 0) return 0;
  let high = Math.max(markedUsd, ...outcomes.map((outcome) => Math.abs(outcome.exposure)));
  for (let i = 0; i < 60 && excess(high) > 0; i++) high *= 2;
  let low = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

/** The M at which the resulting trades leave exactly the cash that C assumes. */
function findMarkedWealth(outcomes: readonly Outcome[], startUsd: number): number {
  const gap = (markedUsd: number) => {
    const baseUsd = findBaseWealth(outcomes, markedUsd);
    return startUsd - outcomes.reduce((sum, outcome) => sum + spend(outcome, markedUsd, baseUsd), baseUsd);
  };
  let low = 0;
  let high = Math.abs(startUsd) + Math.max(0, ...outcomes.map((outcome) => Math.abs(outcome.exposure)));
  for (let i = 0; i < 60 && gap(high) > 0; i++) high *= 2;
  for (let round = 0; round < ROUNDS; round++) {
    const middle = (low + high) / 2;
    if (gap(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

/** Cost of moving a bucket to equilibrium, as wealth that does not depend on the winner. */
function spend(outcome: Outcome, markedUsd: number, baseUsd: number): number {
  const trade = { ...NO_TRADE };
  settle(outcome, markedUsd, baseUsd, trade);
  let total = 0;
  for (const { kind, price } of outcome.up) total += trade[kind] * price;
  for (const { kind, price } of outcome.down) total -= trade[kind] * price;
  return total;
}

function toAllocation(
  problem: AllocationProblem,
  outcomes: readonly Outcome[],
  markedUsd: number,
  baseUsd: number,
): Allocation | null {
  const trades = new Map<number, Trade>();
  outcomes.forEach((outcome, c) => {
    const trade = { ...NO_TRADE };
    settle(outcome, markedUsd, baseUsd, trade);
    trades.set(problem.winners[0]![c]!, trade);
  });
  const ordered = problem.holdings.map((holding) => trades.get(holding.bucket) ?? NO_TRADE);
  const cashUsd = problem.holdings.reduce((cash, h, i) => cash - outlay(h, ordered[i]!), problem.cashUsd);
  const scale = Math.max(1, markedUsd);
  const lockedUsd = problem.holdings.reduce(
    (sum, h, i) => sum + h.noShares + ordered[i]!.buyNo - ordered[i]!.sellNo,
    0,
  );
  // Costless ladders that sum to exactly 1 leave C undetermined; the joint solver handles them.
  const isBalanced = Math.abs(cashUsd + lockedUsd - baseUsd) <= 1e-6 * scale;
  if (!isBalanced || cashUsd < -1e-6 * scale) return null;
  return {
    trades: ordered,
    cashUsd: Math.max(0, cashUsd),
    wealth: computeWealth(problem, ordered, cashUsd),
    isSolvent: true,
  };
}

function outlay(holding: Holding, trade: Trade): number {
  return (
    trade.buyYes * (holding.yesCost ?? 0) -
    trade.sellYes * (holding.yesNetBid ?? 0) +
    trade.buyNo * (holding.noCost ?? 0) -
    trade.sellNo * (holding.noNetBid ?? 0)
  );
}

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
