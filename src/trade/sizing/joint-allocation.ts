// Growth-optimal allocation over several events: the account as bets in one optimisation problem. Everything
// sellable is treated as sold; keeping shares is then a bet at the price they would have fetched, up to the
// number held. So one budget limits all bets.

import {
  type Allocation,
  type AllocationProblem,
  computeWealth,
  type Holding,
  solveExclusiveAllocation,
  type Trade,
} from './exclusive-allocation.ts';
import { type Bet, type GrowthProgramme, wealthOf } from './growth-slope.ts';
import { maximiseGrowth } from './interior-point.ts';

type Kind = 'keepYes' | 'keepNo' | 'buyYes' | 'buyNo';

interface Move extends Bet {
  kind: Kind;
  holding: number;
}

/** As a fraction of total wealth; smaller bets are rounding error. */
const NOTHING = 1e-7;

export function solveJointAllocation(problem: AllocationProblem): Allocation {
  const { cashUsd, wealth } = sellEverything(problem);
  const isSolvent = cashUsd > 0;
  const moves = isSolvent ? listMoves(problem) : [];
  const shares = moves.length === 0 ? [] : sizeMoves(problem, moves, cashUsd, wealth);
  const trades = toTrades(problem.holdings, moves, shares);
  return { trades, ...settle(problem, trades), isSolvent };
}

/** Cash, and wealth in each cell, once only unsellable holdings are left. */
function sellEverything(problem: AllocationProblem): { cashUsd: number; wealth: Float64Array } {
  const trades = problem.holdings.map(({ yesShares, noShares, yesNetBid, noNetBid }) => ({
    buyYes: 0,
    sellYes: yesNetBid === null ? 0 : yesShares,
    buyNo: 0,
    sellNo: noNetBid === null ? 0 : noShares,
  }));
  return settle(problem, trades);
}

function settle(problem: AllocationProblem, trades: readonly Trade[]) {
  const cashUsd = problem.holdings.reduce((cash, { yesCost, yesNetBid, noCost, noNetBid }, i) => {
    const { buyYes, sellYes, buyNo, sellNo } = trades[i]!;
    const paid = buyYes * (yesCost ?? 0) + buyNo * (noCost ?? 0);
    return cash - paid + sellYes * (yesNetBid ?? 0) + sellNo * (noNetBid ?? 0);
  }, problem.cashUsd);
  return { cashUsd, wealth: computeWealth(problem, trades, cashUsd) };
}

function listMoves({ probabilities, winners, holdings }: AllocationProblem): Move[] {
  const canWin = winners.map((): boolean[] => []);
  winners.forEach((won, e) => {
    for (let c = 0; c < won.length; c++) if (probabilities[c]! > 0) canWin[e]![won[c]!] = true;
  });
  return holdings.flatMap((holding, i) =>
    movesOf(holding, i, canWin[holding.event]![holding.bucket] ?? false),
  );
}

/** Drops bets that cannot win, and No on a bucket that cannot win, which is equivalent to cash. */
function movesOf(holding: Holding, i: number, canWin: boolean): Move[] {
  const { yesShares, noShares, yesCost, yesNetBid, noCost, noNetBid } = holding;
  const moves: Move[] = [];
  const add = (kind: Kind, direction: 1 | -1, outlay: number, capacity: number) => {
    const price = direction === 1 ? outlay : 1 - outlay;
    moves.push({ kind, holding: i, slot: i, direction, price, outlay, capacity });
  };
  if (yesShares > 0 && yesNetBid !== null && canWin) add('keepYes', 1, yesNetBid, yesShares);
  if (noShares > 0 && noNetBid !== null) add('keepNo', -1, noNetBid, noShares);
  if (yesCost !== null && canWin) add('buyYes', 1, yesCost, Infinity);
  if (noCost !== null && canWin) add('buyNo', -1, noCost, Infinity);
  return moves;
}

function sizeMoves(
  problem: AllocationProblem,
  moves: readonly Move[],
  cashUsd: number,
  wealth: Float64Array,
): number[] {
  const scale = wealth.reduce((most, value) => Math.max(most, value), 0);
  const cells = listPossible(problem.probabilities);
  const events = [...new Set(problem.holdings.map(({ event }) => event))];
  const programme: GrowthProgramme = {
    probabilities: Float64Array.from(cells, (c) => problem.probabilities[c]!),
    base: Float64Array.from(cells, (c) => wealth[c]! / scale),
    slots: events.map((event) => slotsOf(problem, event, cells)),
    slotCount: problem.holdings.length,
    bets: moves.map((move) => ({ ...move, capacity: move.capacity / scale })),
    budget: cashUsd / scale,
  };
  const sized = snap(programme, maximiseGrowth(programme));
  return Array.from(sized, (shares, k) => Math.min(shares * scale, moves[k]!.capacity));
}

function listPossible(probabilities: Float64Array): number[] {
  const cells: number[] = [];
  for (let c = 0; c < probabilities.length; c++) if (probabilities[c]! > 0) cells.push(c);
  return cells;
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
  const slots = new Int32Array(cells.length);
  for (let i = 0; i < cells.length; i++) slots[i] = slotOf[won[cells[i]!]!] ?? -1;
  return slots;
}

/** Moves values within rounding error of a bound onto it, unless that means ruin. */
function snap(programme: GrowthProgramme, shares: Float64Array): Float64Array {
  const snapped = shares.map((value, k) => {
    if (value < NOTHING) return 0;
    return programme.bets[k]!.capacity - value < NOTHING ? programme.bets[k]!.capacity : value;
  });
  return wealthOf(programme, snapped).every((value) => value > 0) ? snapped : shares;
}

function toTrades(holdings: readonly Holding[], moves: readonly Move[], shares: readonly number[]): Trade[] {
  const sized = holdings.map((): Record<Kind, number> => ({ keepYes: 0, keepNo: 0, buyYes: 0, buyNo: 0 }));
  moves.forEach(({ holding, kind }, k) => {
    sized[holding]![kind] = shares[k]!;
  });
  const sold = (held: number, netBid: number | null, kept: number) => (netBid === null ? 0 : held - kept);
  return holdings.map(({ yesShares, yesNetBid, noShares, noNetBid }, i) => {
    const { keepYes, keepNo, buyYes, buyNo } = sized[i]!;
    return {
      buyYes,
      sellYes: sold(yesShares, yesNetBid, keepYes),
      buyNo,
      sellNo: sold(noShares, noNetBid, keepNo),
    };
  });
}

/** Solves one event exactly; solves several events, or one with too little cash for No shares, jointly. */
export function solveAllocation(problem: AllocationProblem): Allocation {
  const exact = problem.winners.length === 1 ? solveExclusiveAllocation(problem) : null;
  return exact ?? solveJointAllocation(problem);
}
