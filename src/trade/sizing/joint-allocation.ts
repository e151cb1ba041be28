// Optimal growth over several events at once: the account as bets of one programme.
// Every account starts, in thought, from having sold all that can be sold; keeping shares is then a bet at the price that
// they would have brought, up to as many as are held. So one budget bounds all of them.

import type { Allocation, AllocationProblem, Holding, Trade } from './allocation-problem.ts';
import { type Bet, type GrowthProgramme, maximiseGrowth, wealthOf } from './interior-point.ts';

type Kind = 'keepYes' | 'keepNo' | 'buyYes' | 'buyNo';

interface Move extends Bet {
  kind: Kind;
  holding: number;
}

/** Of all wealth: less is no bet but what the arithmetic leaves. */
const NOTHING = 1e-7;

export function solveJointAllocation(problem: AllocationProblem): Allocation {
  const { cashUsd, wealth } = sellEverything(problem);
  const isSolvent = cashUsd > 0;
  const moves = isSolvent ? problem.holdings.flatMap((holding, i) => movesOf(problem, holding, i)) : [];
  const shares = moves.length === 0 ? [] : sizeMoves(problem, moves, cashUsd, wealth);
  const trades = problem.holdings.map((holding, i) => toTrade(holding, i, moves, shares));
  return { trades, ...settle(problem, trades), isSolvent };
}

/** Cash, and wealth in each cell, with nothing left but what cannot be sold. */
function sellEverything(problem: AllocationProblem): { cashUsd: number; wealth: Float64Array } {
  const trades = problem.holdings.map(({ yesShares, noShares, yesNetBid, noNetBid }) => ({
    buyYes: 0,
    sellYes: yesNetBid === null ? 0 : yesShares,
    buyNo: 0,
    sellNo: noNetBid === null ? 0 : noShares,
  }));
  return settle(problem, trades);
}

function settle({ probabilities, winners, cashUsd, holdings }: AllocationProblem, trades: readonly Trade[]) {
  let cash = cashUsd;
  const wealth = new Float64Array(probabilities.length);
  holdings.forEach((holding, i) => {
    const { buyYes, sellYes, buyNo, sellNo } = trades[i]!;
    cash -= buyYes * (holding.yesCost ?? 0) + buyNo * (holding.noCost ?? 0);
    cash += sellYes * (holding.yesNetBid ?? 0) + sellNo * (holding.noNetBid ?? 0);
    const yes = holding.yesShares + buyYes - sellYes;
    const no = holding.noShares + buyNo - sellNo;
    const won = winners[holding.event]!;
    for (let c = 0; c < wealth.length; c++) wealth[c]! += won[c] === holding.bucket ? yes : no;
  });
  return { cashUsd: cash, wealth: wealth.map((value) => value + cash) };
}

/** A bet that wins nowhere is none, and neither is the No of a bucket that cannot win: it is as good as cash. */
function movesOf({ probabilities, winners }: AllocationProblem, holding: Holding, i: number): Move[] {
  const { yesShares, noShares, yesCost, yesNetBid, noCost, noNetBid } = holding;
  const canWin = winners[holding.event]!.some((won, c) => won === holding.bucket && probabilities[c]! > 0);
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
  const cells = [...problem.probabilities.keys()].filter((c) => problem.probabilities[c]! > 0);
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

function slotsOf({ holdings, winners }: AllocationProblem, event: number, cells: readonly number[]) {
  const slotOf = new Map(holdings.map((holding, i) => [holding.event === event ? holding.bucket : -2, i]));
  return Int32Array.from(cells, (c) => slotOf.get(winners[event]![c]!) ?? -1);
}

/** What lies on a bound but for the arithmetic is put there, unless that would be ruin. */
function snap(programme: GrowthProgramme, shares: Float64Array): Float64Array {
  const snapped = shares.map((value, k) => {
    if (value < NOTHING) return 0;
    return programme.bets[k]!.capacity - value < NOTHING ? programme.bets[k]!.capacity : value;
  });
  return wealthOf(programme, snapped).every((value) => value > 0) ? snapped : shares;
}

function toTrade(holding: Holding, i: number, moves: readonly Move[], shares: readonly number[]): Trade {
  const of = (kind: Kind) => shares[moves.findIndex((move) => move.holding === i && move.kind === kind)] ?? 0;
  const sold = (held: number, netBid: number | null, kept: number) => (netBid === null ? 0 : held - kept);
  return {
    buyYes: of('buyYes'),
    sellYes: sold(holding.yesShares, holding.yesNetBid, of('keepYes')),
    buyNo: of('buyNo'),
    sellNo: sold(holding.noShares, holding.noNetBid, of('keepNo')),
  };
}
