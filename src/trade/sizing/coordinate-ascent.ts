// Optimal growth over several events at once, by cyclic coordinate ascent on their joint cells: concave, with kinks
// that belong to one bucket each, so no other point than the optimum stops it.

import type { Allocation, AllocationProblem, Holding, Trade } from './allocation-problem.ts';

/**
 * Every account starts, in thought, from having sold all that can be sold; keeping shares then costs what they would
 * have brought. So taking any move back only frees cash, and no step can pass through ruin.
 */
type StepKind = 'keepYes' | 'keepNo' | 'buyYes' | 'buyNo';
type Moves = Record<StepKind, number>;

interface Step {
  kind: StepKind;
  /** Yes-equivalent price: wealth changes by (1 - price) where the bucket wins and by -price elsewhere. */
  price: number;
  /** Cash paid per share. */
  outlay: number;
  capacity: number;
}

interface Coordinate {
  inCell: Uint8Array;
  up: Step[];
  down: Step[];
  moves: Moves;
}

const MAX_SWEEPS = 400;
const NO_MOVES: Moves = { keepYes: 0, keepNo: 0, buyYes: 0, buyNo: 0 };

export function climbToAllocation(problem: AllocationProblem): Allocation {
  const state = createState(problem);
  const coordinates = problem.holdings.map((holding) => createCoordinate(problem, holding));
  const isSolvent = state.cashUsd > 0;
  if (isSolvent && problem.cashUsd >= 0) keepEverything(state, coordinates, problem.holdings);
  const scale = Math.max(...state.wealth, 1e-9);
  for (let sweep = 0; isSolvent && sweep < MAX_SWEEPS; sweep++) {
    let moved = 0;
    for (const coordinate of coordinates) moved = Math.max(moved, improve(problem, state, coordinate));
    if (moved < 1e-9 * scale) break;
  }
  const trades = coordinates.map(({ moves }, i) => toTrade(moves, problem.holdings[i]!));
  return { trades, cashUsd: state.cashUsd, wealth: state.wealth, isSolvent };
}

/** The account as it stands is the natural place to start from. */
function keepEverything(state: State, coordinates: Coordinate[], holdings: readonly Holding[]): void {
  coordinates.forEach((coordinate, i) => {
    const { yesShares, noShares, yesNetBid, noNetBid } = holdings[i]!;
    apply(state, coordinate, {
      ...NO_MOVES,
      keepYes: yesNetBid === null ? 0 : yesShares,
      keepNo: noNetBid === null ? 0 : noShares,
    });
  });
}

function toTrade({ buyYes, buyNo, keepYes, keepNo }: Moves, holding: Holding): Trade {
  const sold = (shares: number, kept: number) => (shares - kept > 1e-9 * shares ? shares - kept : 0);
  return {
    buyYes,
    sellYes: holding.yesNetBid === null ? 0 : sold(holding.yesShares, keepYes),
    buyNo,
    sellNo: holding.noNetBid === null ? 0 : sold(holding.noShares, keepNo),
  };
}

interface State {
  wealth: Float64Array;
  cashUsd: number;
}

function createState(problem: AllocationProblem): State {
  let cashUsd = problem.cashUsd;
  const wealth = new Float64Array(problem.probabilities.length);
  for (const { event, bucket, yesShares, noShares, yesNetBid, noNetBid } of problem.holdings) {
    cashUsd += yesShares * (yesNetBid ?? 0) + noShares * (noNetBid ?? 0);
    const winners = problem.winners[event]!;
    for (let c = 0; c < wealth.length; c++) {
      if (winners[c] === bucket) wealth[c]! += yesNetBid === null ? yesShares : 0;
      else wealth[c]! += noNetBid === null ? noShares : 0;
    }
  }
  for (let c = 0; c < wealth.length; c++) wealth[c]! += cashUsd;
  return { wealth, cashUsd };
}

function createCoordinate(problem: AllocationProblem, holding: Holding): Coordinate {
  const { yesShares, noShares, yesCost, yesNetBid, noCost, noNetBid } = holding;
  const up: Step[] = [];
  const down: Step[] = [];
  if (yesShares > 0 && yesNetBid !== null) up.push(step('keepYes', yesNetBid, yesNetBid, yesShares));
  if (noShares > 0 && noNetBid !== null) down.push(step('keepNo', 1 - noNetBid, noNetBid, noShares));
  if (yesCost !== null) up.push(step('buyYes', yesCost, yesCost));
  if (noCost !== null) down.push(step('buyNo', 1 - noCost, noCost));
  const inCell = Uint8Array.from(problem.winners[holding.event]!, (winner) =>
    winner === holding.bucket ? 1 : 0,
  );
  return { inCell, up, down, moves: NO_MOVES };
}

function step(kind: StepKind, price: number, outlay: number, capacity = Number.POSITIVE_INFINITY): Step {
  return { kind, price, outlay, capacity };
}

/** Takes the coordinate's moves back, finds the best ones, applies them; returns by how many shares it moved. */
function improve(problem: AllocationProblem, state: State, coordinate: Coordinate): number {
  const before = coordinate.moves;
  apply(state, coordinate, NO_MOVES);
  const after = findBestMoves(problem.probabilities, state, coordinate);
  apply(state, coordinate, after);
  return Math.abs(netExposure(after) - netExposure(before));
}

function findBestMoves(probabilities: Float64Array, base: State, coordinate: Coordinate): Moves {
  const upward = climb(probabilities, base, coordinate.inCell, coordinate.up, 1);
  return upward ?? climb(probabilities, base, coordinate.inCell, coordinate.down, -1) ?? NO_MOVES;
}

/** Walks the steps of one direction while each still adds growth; null when not even the first does. */
function climb(
  probabilities: Float64Array,
  base: State,
  inCell: Uint8Array,
  steps: readonly Step[],
  direction: 1 | -1,
): Moves | null {
  let moves: Moves | null = null;
  let { wealth, cashUsd } = base;
  for (const { kind, price, outlay, capacity } of steps) {
    const affordable = outlay > 0 ? Math.max(0, cashUsd) / outlay : Number.POSITIVE_INFINITY;
    const limit = Math.min(capacity, affordable);
    const shares = findBestShares(probabilities, wealth, inCell, price, direction, limit);
    if (shares <= 0) break;
    moves = { ...(moves ?? NO_MOVES), [kind]: shares };
    if (shares < capacity) break;
    cashUsd -= shares * outlay;
    wealth = wealth.map((value, c) => value + direction * shares * (inCell[c]! - price));
  }
  return moves;
}

/** Root of the derivative of expected log wealth along one step; safeguarded Newton. */
function findBestShares(
  probabilities: Float64Array,
  wealth: Float64Array,
  inCell: Uint8Array,
  price: number,
  direction: 1 | -1,
  limit: number,
): number {
  const slope = { value: 0, curvature: 0 };
  const measure = (shares: number) => {
    slope.value = 0;
    slope.curvature = 0;
    for (let c = 0; c < wealth.length; c++) {
      const p = probabilities[c]!;
      if (p <= 0) continue;
      const gain = direction * (inCell[c]! - price);
      const ratio = gain / (wealth[c]! + shares * gain);
      slope.value += p * ratio;
      slope.curvature -= p * ratio * ratio;
    }
  };
  measure(0);
  if (slope.value <= 1e-15) return 0;
  const ruin = findRuin(probabilities, wealth, inCell, price, direction);
  let low = 0;
  let high = Math.min(limit, ruin);
  if (!(high > 0)) return 0;
  let shares = -slope.value / slope.curvature;
  if (shares >= high) shares = high / 2;
  if (limit < ruin * (1 - 1e-9)) {
    measure(limit);
    if (slope.value >= 0) return limit;
  }
  for (let round = 0; round < 100; round++) {
    measure(shares);
    if (slope.value > 0) low = shares;
    else high = shares;
    const newton = shares - slope.value / slope.curvature;
    if (high - low <= 1e-13 * high || Math.abs(newton - shares) <= 1e-13 * shares) break;
    shares = newton > low && newton < high ? newton : (low + high) / 2;
  }
  return shares;
}

/** Shares at which some outcome would be left with nothing. */
function findRuin(
  probabilities: Float64Array,
  wealth: Float64Array,
  inCell: Uint8Array,
  price: number,
  direction: 1 | -1,
): number {
  let ruin = Number.POSITIVE_INFINITY;
  for (let c = 0; c < wealth.length; c++) {
    const loss = -direction * (inCell[c]! - price);
    if (probabilities[c]! > 0 && loss > 0) ruin = Math.min(ruin, wealth[c]! / loss);
  }
  return ruin;
}

function netExposure(moves: Moves): number {
  return moves.keepYes + moves.buyYes - moves.keepNo - moves.buyNo;
}

/** Replaces the coordinate's moves by others, in wealth and in cash. */
function apply(state: State, coordinate: Coordinate, moves: Moves): void {
  applySteps(state, coordinate, moves, coordinate.up, 1);
  applySteps(state, coordinate, moves, coordinate.down, -1);
  coordinate.moves = moves;
}

function applySteps(
  state: State,
  { inCell, moves: before }: Coordinate,
  moves: Moves,
  steps: readonly Step[],
  direction: 1 | -1,
): void {
  for (const { kind, price, outlay } of steps) {
    const change = moves[kind] - before[kind];
    if (change === 0) continue;
    state.cashUsd -= change * outlay;
    for (let c = 0; c < inCell.length; c++) state.wealth[c]! += direction * change * (inCell[c]! - price);
  }
}
