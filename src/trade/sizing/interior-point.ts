// Maximises expected log wealth over bets that share one budget, with a primal-dual interior-point method:
// the budget and common outcomes couple the bets, so coordinate steps would stop short of the optimum. Each
// outcome involves one bucket per event, so the curvature costs outcomes times pairs of events, not pairs of
// bets.

import { type Bet, createGrowthSlope, type GrowthProgramme, type GrowthSlope } from './growth-slope.ts';

const MAX_STEPS = 80;
const GAP = 1e-12;
/** Factor by which each step shrinks the gap; near the optimum the gap itself, for quadratic convergence. */
const SHRINK = 0.1;
const STAY_INSIDE = 0.995;
const RESIDUAL = 1e-9;

/** Returns the shares of each bet. */
export function maximiseGrowth(programme: GrowthProgramme): Float64Array {
  const { bets, budget } = programme;
  const n = bets.length;
  const at = createPoint(programme);
  const slope = createGrowthSlope(programme);
  const { gradient, curvature } = slope;
  const right = new Float64Array(n);
  let before = Infinity;
  for (let step = 0; step < MAX_STEPS; step++) {
    slope.measure(at.shares);
    const gap = complementarity(at);
    const target = (Math.min(SHRINK, gap) * gap) / (n + 1);
    const residual = residualOf(gradient, at, bets);
    // Once the gap is closed, a step that does not reduce the residual is rounding error.
    if (gap < GAP && (residual < RESIDUAL || residual >= before)) break;
    before = residual;
    for (let k = 0; k < n; k++) {
      right[k] = gradient[k]! + target / at.shares[k]! - (target / at.left) * bets[k]!.outlay;
    }
    addBarriers(curvature, at, bets);
    if (!factorise(curvature, n)) break;
    solveFactorised(curvature, n, right);
    advance(bets, slope, at, right, target);
  }
  return budget > 0 ? at.shares : at.shares.fill(0);
}

interface Point {
  shares: Float64Array;
  /** Buffer for the next step's shares. */
  moved: Float64Array;
  /** Remaining budget, stored because computing it as a difference would lose precision. */
  left: number;
  /** Multipliers of the lower bounds and the budget. */
  low: Float64Array;
  tight: number;
}

/** Starts with a little of every bet, leaving half of the budget and half of the wealth in every outcome. */
function createPoint({ bets, base, budget }: GrowthProgramme): Point {
  const poorest = base.reduce((least, value) => Math.min(least, value), Infinity);
  const shares = Float64Array.from(bets, ({ outlay, price, direction }) => {
    const loss = direction === 1 ? price : 1 - price;
    const share = 0.5 / bets.length;
    return Math.min(
      outlay > 0 ? (share * budget) / outlay : Infinity,
      loss > 0 ? (share * poorest) / loss : Infinity,
      1,
    );
  });
  const left = budget - bets.reduce((sum, { outlay }, k) => sum + outlay * shares[k]!, 0);
  const low = shares.map((value) => 0.1 / value);
  return { shares, moved: new Float64Array(bets.length), left, low, tight: 0.1 / left };
}

/** Residual of the stationarity condition. */
function residualOf(gradient: Float64Array, { low, tight }: Point, bets: readonly Bet[]): number {
  let worst = 0;
  for (let k = 0; k < bets.length; k++) {
    worst = Math.max(worst, Math.abs(gradient[k]! + low[k]! - tight * bets[k]!.outlay));
  }
  return worst;
}

function complementarity({ shares, low, left, tight }: Point): number {
  return shares.reduce((sum, held, k) => sum + held * low[k]!, left * tight);
}

function addBarriers(curvature: Float64Array, at: Point, bets: readonly Bet[]): void {
  const n = bets.length;
  for (let k = 0; k < n; k++) {
    const { outlay } = bets[k]!;
    curvature[k * n + k]! += at.low[k]! / at.shares[k]!;
    for (let l = 0; l <= k; l++) curvature[k * n + l]! += (at.tight / at.left) * outlay * bets[l]!.outlay;
  }
}

/** Moves shares and multipliers as far as possible without reaching a bound or ruining an outcome. */
function advance(
  bets: readonly Bet[],
  slope: GrowthSlope,
  at: Point,
  move: Float64Array,
  target: number,
): void {
  let spent = 0;
  for (let k = 0; k < bets.length; k++) spent += bets[k]!.outlay * move[k]!;
  const tight = (target + at.tight * spent) / at.left - at.tight;
  let length = Math.min(1, findReach(at, move, target), reach(at.left, -spent), reach(at.tight, tight));
  while (slope.isRuin(writeMoved(at, move, length))) length /= 2;
  for (let k = 0; k < bets.length; k++) {
    at.low[k]! += length * lowMove(at, move, target, k);
  }
  at.left -= length * spent;
  at.tight += length * tight;
  [at.shares, at.moved] = [at.moved, at.shares];
}

/** Longest step for a value that changes by this much in a full step. */
function reach(value: number, change: number): number {
  return change < 0 ? (-STAY_INSIDE * value) / change : Infinity;
}

function findReach(at: Point, move: Float64Array, target: number): number {
  let least = Infinity;
  for (let k = 0; k < move.length; k++) {
    least = Math.min(least, reach(at.shares[k]!, move[k]!), reach(at.low[k]!, lowMove(at, move, target, k)));
  }
  return least;
}

function lowMove({ shares, low }: Point, move: Float64Array, target: number, k: number): number {
  return (target - low[k]! * move[k]!) / shares[k]! - low[k]!;
}

function writeMoved({ shares, moved }: Point, move: Float64Array, length: number): Float64Array {
  for (let k = 0; k < moved.length; k++) moved[k] = shares[k]! + length * move[k]!;
  return moved;
}

// Solves symmetric positive definite systems in place, row by row, reading only the lower triangle.

/** Returns false if the matrix is numerically not positive definite. */
export function factorise(matrix: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i * n + k]! * matrix[j * n + k]!;
      if (i === j && !(sum > 0)) return false;
      matrix[i * n + j] = i === j ? Math.sqrt(sum) : sum / matrix[j * n + j]!;
    }
  }
  return true;
}

/** Replaces the right-hand side with the solution. */
export function solveFactorised(factor: Float64Array, n: number, right: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = right[i]!;
    for (let k = 0; k < i; k++) sum -= factor[i * n + k]! * right[k]!;
    right[i] = sum / factor[i * n + i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = right[i]!;
    for (let k = i + 1; k < n; k++) sum -= factor[k * n + i]! * right[k]!;
    right[i] = sum / factor[i * n + i]!;
  }
}
