// Growth-optimal purchases over an account's open events, given the Yes shares that it holds. Outcomes are the
// cells of `outcome-cells.ts`; one budget limits all bets.

import { type Bet, type GrowthProgramme, wealthOf } from './growth-slope.ts';
import { maximiseGrowth } from './interior-point.ts';
import type { OutcomeCells } from './outcome-cells.ts';

/** A bucket with shares or offers. */
export interface Holding {
  /** Index of the event in the cells, and of the bucket in that event's ladder. */
  event: number;
  bucket: number;
  yesShares: number;
  /** null if this side is not offered. */
  yesCost: number | null;
  noCost: number | null;
}

export interface AllocationProblem extends OutcomeCells {
  cash: number;
  holdings: readonly Holding[];
}

/** Shares to buy of each side. */
export interface Purchase {
  yes: number;
  no: number;
}

interface Move extends Bet {
  side: keyof Purchase;
  holding: number;
}

/** As a fraction of total wealth; smaller bets are rounding error. */
const NOTHING = 1e-7;

export function solveAllocation(problem: AllocationProblem): Purchase[] {
  const purchases = problem.holdings.map((): Purchase => ({ yes: 0, no: 0 }));
  const moves = problem.cash > 0 ? listMoves(problem) : [];
  if (moves.length === 0) return purchases;
  const shares = sizeMoves(problem, moves);
  moves.forEach(({ holding, side }, k) => {
    purchases[holding]![side] = shares[k]!;
  });
  return purchases;
}

/** Drops bets that cannot win, and No on a bucket that cannot win, which is equivalent to cash. */
function listMoves({ probabilities, winners, holdings }: AllocationProblem): Move[] {
  const canWin = ({ event, bucket }: Holding) =>
    winners[event]!.some((won, c) => won === bucket && probabilities[c]! > 0);
  return holdings.flatMap((holding, slot): Move[] => {
    if (!canWin(holding)) return [];
    const { yesCost, noCost } = holding;
    const move = { holding: slot, slot };
    const yes =
      yesCost === null ? [] : [{ ...move, side: 'yes', direction: 1, price: yesCost, outlay: yesCost }];
    const no =
      noCost === null ? [] : [{ ...move, side: 'no', direction: -1, price: 1 - noCost, outlay: noCost }];
    return [...yes, ...no] as Move[];
  });
}

function sizeMoves(problem: AllocationProblem, moves: readonly Move[]): Float64Array {
  const { probabilities, winners, holdings, cash } = problem;
  const cells = [...probabilities.keys()].filter((c) => probabilities[c]! > 0);
  const wealth = cells.map((c) =>
    holdings.reduce(
      (sum, { event, bucket, yesShares }) => sum + (winners[event]![c] === bucket ? yesShares : 0),
      cash,
    ),
  );
  const scale = Math.max(...wealth);
  const events = [...new Set(holdings.map(({ event }) => event))];
  const programme: GrowthProgramme = {
    probabilities: Float64Array.from(cells, (c) => probabilities[c]!),
    base: Float64Array.from(wealth, (value) => value / scale),
    slots: events.map((event) => slotsOf(problem, event, cells)),
    slotCount: holdings.length,
    bets: moves,
    budget: cash / scale,
  };
  return snap(programme, maximiseGrowth(programme)).map((shares) => shares * scale);
}

/** The holding in the winning bucket of each cell; -1 if there is none. */
function slotsOf(
  { holdings, winners }: AllocationProblem,
  event: number,
  cells: readonly number[],
): Int32Array {
  const slotOf: number[] = [];
  holdings.forEach((holding, i) => {
    if (holding.event === event) slotOf[holding.bucket] = i;
  });
  const won = winners[event]!;
  return Int32Array.from(cells, (c) => slotOf[won[c]!] ?? -1);
}

/** Moves values within rounding error of zero onto it, unless that means ruin. */
function snap(programme: GrowthProgramme, shares: Float64Array): Float64Array {
  const snapped = shares.map((value) => (value < NOTHING ? 0 : value));
  return wealthOf(programme, snapped).every((value) => value > 0) ? snapped : shares;
}
