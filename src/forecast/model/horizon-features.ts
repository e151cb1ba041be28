// Features of the two regressions. All are differences of logs or centred, so a ridge towards zero means "as the bank
// says". The long ones know how the rate has moved; the session ones what the account is doing just now.

import {
  ALL_HALF_LIVES,
  COUNTED_HALF_LIVES,
  ORIGIN,
  RECENT_ALL,
  RECENT_HOURS,
} from '../rate/origin-features.ts';

const WEEK = ORIGIN.counted + COUNTED_HALF_LIVES.indexOf(7);
const MONTH = ORIGIN.counted + COUNTED_HALF_LIVES.indexOf(28);

/** A week this far from its month, on the log scale, is a trend. */
const TREND = 0.2;

export const LONG_WIDTH = COUNTED_HALF_LIVES.length + ALL_HALF_LIVES.length + 1;

/** Ridge scale per feature: how far each may reasonably move the log rate per unit. */
export const LONG_PRIOR_SD = new Float64Array(LONG_WIDTH).fill(0.06);

/** How the rate has been moving, from hours to seasons; the trend has its own slope either way. */
export function writeLongFeatures(origin: Float64Array, from: number, out: Float64Array, at: number): void {
  let i = at;
  out[i++] = 1;
  for (let k = 0; k + 1 < COUNTED_HALF_LIVES.length; k++) {
    out[i++] = origin[from + ORIGIN.counted + k]! - origin[from + ORIGIN.counted + k + 1]!;
  }
  for (let k = 0; k + 1 < ALL_HALF_LIVES.length; k++) {
    out[i++] = origin[from + ORIGIN.all + k]! - origin[from + ORIGIN.all + k + 1]!;
  }
  const trend = origin[from + WEEK]! - origin[from + MONTH]!;
  out[i++] = Math.max(0, trend - TREND);
  out[i++] = Math.max(0, -trend - TREND);
}

/** Rates that the session regression compares: a day and a half to a month. */
const MOVES = [2, 3, 4, 5].map((k) => ORIGIN.counted + k);
export const SESSION_WIDTH = 1 + RECENT_HOURS.length + RECENT_ALL + 4 + 8 + MOVES.length;
export const SESSION_PRIOR_SD = new Float64Array(SESSION_WIDTH).fill(0.08);

/** What the last minutes and hours look like, how long it has been quiet, and at which hour of the day. */
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
  for (const k of MOVES) out[i++] = origin[from + k]! - origin[from + k + 1]!;
}
