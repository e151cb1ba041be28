// The account's current activity as features for the session regression: log differences, or centred values.

import { COUNTED_HALF_LIVES, ORIGIN, RECENT_ALL, RECENT_HOURS } from '../rate/origin-features.ts';
import type { CoefficientPrior } from './count-regression.ts';
import type { SharedKnowledge } from './shared-coefficients.ts';

/** Rates that are each compared with the next longer one, from 1.5 days to three months. */
const MOVES = [2, 3, 4, 5, 6].map((k) => ORIGIN.counted + k);
export const SESSION_WIDTH = 1 + RECENT_HOURS.length + RECENT_ALL + 4 + 8 + MOVES.length;

/** Recent movement: ln of the ratio of each rate to the next longer one. */
export function writeMoves(origin: Float64Array, from: number, out: Float64Array, at: number): void {
  MOVES.forEach((k, i) => {
    out[at + i] = origin[from + k]! - origin[from + k + 1]!;
  });
}
export const MOVES_WIDTH = MOVES.length;

const THREE_DAYS = ORIGIN.counted + COUNTED_HALF_LIVES.indexOf(3);
const FOUR_WEEKS = ORIGIN.counted + COUNTED_HALF_LIVES.indexOf(28);
const DEEPEST_FALL = 1.2;

/** How far the three-day rate is below the four-week rate, on the log scale. */
export function fallDepth(origin: Float64Array, from: number): number {
  return Math.max(0, Math.min(DEEPEST_FALL, origin[from + FOUR_WEEKS]! - origin[from + THREE_DAYS]!));
}

/** How far an account may differ from shared coefficients; further for replies (little shared data). */
const OWN_SD = 0.06;
const OWN_REPLIES_SD = 0.12;
const REPLIES = [1 + RECENT_HOURS.length, 2 + RECENT_HOURS.length, 3 + RECENT_HOURS.length, 12];

export function sessionPrior({ session }: SharedKnowledge, hours: number): CoefficientPrior {
  const sd = new Float64Array(SESSION_WIDTH).fill(OWN_SD);
  for (const k of REPLIES) sd[k] = OWN_REPLIES_SD;
  return { mean: session[hours]!, sd };
}

/** Activity in the last minutes and hours, time since the last post, and time of day. */
export function writeSessionFeatures(
  origin: Float64Array,
  from: number,
  out: Float64Array,
  at: number,
): void {
  let i = at;
  out[i++] = 1;
  for (let k = 0; k < RECENT_HOURS.length; k++) out[i++] = origin[from + ORIGIN.recent + k]!;
  for (let k = 0; k < RECENT_ALL; k++) out[i++] = origin[from + ORIGIN.recentAll + k]!;
  const gap = origin[from + ORIGIN.gapAllHours]!;
  const angle = origin[from + ORIGIN.hourAngle]!;
  const logGap = Math.log(gap + 0.05) - Math.log(0.6);
  out[i++] = logGap;
  out[i++] = Math.min(gap, 4) - 1;
  out[i++] = Math.max(0, Math.min(gap, 12) - 4) / 4;
  out[i++] = Math.log(origin[from + ORIGIN.gapCountedHours]! + 0.05) - Math.log(gap + 0.05);
  for (const turns of [1, 2]) {
    const cos = Math.cos(turns * angle);
    const sin = Math.sin(turns * angle);
    out[i++] = cos;
    out[i++] = sin;
    out[i++] = cos * logGap;
    out[i++] = sin * logGap;
  }
  writeMoves(origin, from, out, i);
}
