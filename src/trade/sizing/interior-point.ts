// Greatest expected log wealth over bets that share one budget, by a primal-dual interior point: bets on several events are
// bound together by the budget and by common outcomes, and stepping along one bet at a time stops short of the optimum.
// Each outcome sees one bucket per event, so the curvature costs outcomes times pairs of events, not pairs of bets.

import { factorise, solveFactorised } from './cholesky.ts';
import { type Bet, createGrowthSlope, type GrowthProgramme, type GrowthSlope } from './growth-slope.ts';

const MAX_STEPS = 80;
const GAP = 1e-12;
/** How much nearer to the edge each step aims; near the optimum the gap itself, so that its digits double. */
const SHRINK = 0.1;
const STAY_INSIDE = 0.995;

/** Shares of each bet. */
export function maximiseGrowth(programme: GrowthProgramme): Float64Array {
  const { bets, budget } = programme;
  const n = bets.length;
  const at = createPoint(programme);
  const slope = createGrowthSlope(programme);
  const { gradient, curvature } = slope;
  for (let step = 0; step < MAX_STEPS; step++) {
    slope.measure(at.shares);
    const gap = complementarity(at);
    const target = (Math.min(SHRINK, gap) * gap) / at.multipliers;
    const right = Float64Array.from(
      bets,
      (bet, k) =>
        gradient[k]! + target / at.shares[k]! - target / at.room[k]! - (target / at.left) * bet.outlay,
    );
    const residual = bets.reduce((worst, bet, k) => {
      const free = gradient[k]! + at.low[k]! - at.high[k]! - at.tight * bet.outlay;
      return Math.max(worst, Math.abs(free));
    }, 0);
    if (gap < GAP && residual < 1e-9) break;
    addBarriers(curvature, at, bets);
    if (!factorise(curvature, n)) break;
    solveFactorised(curvature, n, right);
    advance(bets, slope, at, right, target);
  }
  return budget > 0 ? at.shares : at.shares.fill(0);
}

interface Point {
  shares: Float64Array;
  /** What is left of each capacity, and of the budget. Kept by itself: what is left is soon too small to be a difference. */
  room: Float64Array;
  left: number;
  /** Prices of the bounds: of zero, of capacity, of the budget. */
  low: Float64Array;
  high: Float64Array;
  tight: number;
  multipliers: number;
}

/** A little of everything that leaves half of the budget and half of the wealth in every outcome. */
function createPoint({ bets, base, budget }: GrowthProgramme): Point {
  const poorest = base.reduce((least, value) => Math.min(least, value), Infinity);
  const shares = Float64Array.from(bets, ({ capacity, outlay, price, direction }) => {
    const loss = direction === 1 ? price : 1 - price;
    const share = 0.5 / bets.length;
    return Math.min(
      0.5 * capacity,
      outlay > 0 ? (share * budget) / outlay : Infinity,
      loss > 0 ? (share * poorest) / loss : Infinity,
      1,
    );
  });
  const left = budget - bets.reduce((sum, { outlay }, k) => sum + outlay * shares[k]!, 0);
  const room = Float64Array.from(bets, ({ capacity }, k) => capacity - shares[k]!);
  const low = shares.map((value) => 0.1 / value);
  const high = room.map((value) => 0.1 / value);
  const capped = bets.filter(({ capacity }) => capacity < Infinity).length;
  return { shares, room, left, low, high, tight: 0.1 / left, multipliers: bets.length + capped + 1 };
}

function complementarity({ shares, room, low, high, left, tight }: Point): number {
  let sum = left * tight;
  for (let k = 0; k < shares.length; k++) {
    sum += shares[k]! * low[k]! + (room[k]! < Infinity ? room[k]! * high[k]! : 0);
  }
  return sum;
}

function addBarriers(curvature: Float64Array, at: Point, bets: readonly Bet[]): void {
  const n = bets.length;
  for (let k = 0; k < n; k++) {
    const { outlay } = bets[k]!;
    curvature[k * n + k]! += at.low[k]! / at.shares[k]! + at.high[k]! / at.room[k]!;
    for (let l = 0; l <= k; l++) curvature[k * n + l]! += (at.tight / at.left) * outlay * bets[l]!.outlay;
  }
}

/** Moves shares and prices as far as nothing reaches its bound and no outcome is ruined. */
function advance(
  bets: readonly Bet[],
  slope: GrowthSlope,
  at: Point,
  move: Float64Array,
  target: number,
): void {
  const spent = bets.reduce((sum, { outlay }, k) => sum + outlay * move[k]!, 0);
  const low = at.shares.map((value, k) => (target - at.low[k]! * move[k]!) / value - at.low[k]!);
  const high = at.room.map((value, k) => (target + at.high[k]! * move[k]!) / value - at.high[k]!);
  const tight = (target + at.tight * spent) / at.left - at.tight;
  let length = 1;
  const bound = (value: number, change: number) => {
    if (change < 0) length = Math.min(length, (-STAY_INSIDE * value) / change);
  };
  for (let k = 0; k < bets.length; k++) {
    bound(at.shares[k]!, move[k]!);
    bound(at.low[k]!, low[k]!);
    if (at.room[k]! === Infinity) continue;
    bound(at.room[k]!, -move[k]!);
    bound(at.high[k]!, high[k]!);
  }
  bound(at.left, -spent);
  bound(at.tight, tight);
  const moved = () => at.shares.map((value, k) => value + length * move[k]!);
  let shares = moved();
  while (slope.isRuin(shares)) {
    length /= 2;
    shares = moved();
  }
  at.shares = shares;
  at.left -= length * spent;
  at.tight += length * tight;
  for (let k = 0; k < bets.length; k++) {
    at.room[k]! -= length * move[k]!;
    at.low[k]! += length * low[k]!;
    at.high[k]! += length * high[k]!;
  }
}
