// How the account's rate has moved lately, as features: log differences of rates.

import { COUNTED_HALF_LIVES, ORIGIN } from '../rate/origin-features.ts';

/** Rates that are each compared with the next longer one, from 1.5 days to three months. */
const MOVES = [2, 3, 4, 5, 6].map((k) => ORIGIN.counted + k);
export const MOVES_WIDTH = MOVES.length;

/** ln of the ratio of each rate to the next longer one. */
export function writeMoves(origin: Float64Array, from: number, out: Float64Array, at: number): void {
  MOVES.forEach((k, i) => {
    out[at + i] = origin[from + k]! - origin[from + k + 1]!;
  });
}

const THREE_DAYS = ORIGIN.counted + COUNTED_HALF_LIVES.indexOf(3);
const FOUR_WEEKS = ORIGIN.counted + COUNTED_HALF_LIVES.indexOf(28);
const DEEPEST_FALL = 1.2;

/** How far the three-day rate is below the four-week rate, on the log scale. */
export function fallDepth(origin: Float64Array, from: number): number {
  return Math.max(0, Math.min(DEEPEST_FALL, origin[from + FOUR_WEEKS]! - origin[from + THREE_DAYS]!));
}
