// What the account is doing just now, as features of the session regression. All are differences of logs or centred, so
// a ridge towards zero means "as the bank says".

import { ORIGIN, RECENT_ALL, RECENT_HOURS } from '../rate/origin-features.ts';

/** Rates that the session regression compares: a day and a half to a month. */
const MOVES = [2, 3, 4, 5].map((k) => ORIGIN.counted + k);
export const SESSION_WIDTH = 1 + RECENT_HOURS.length + RECENT_ALL + 4 + 8 + MOVES.length;
/** How far each feature may move the log rate: within a day, and beyond it, where a shift of all would learn a trend. */
export const HOURS_PRIOR_SD = new Float64Array(SESSION_WIDTH).fill(0.12);
export const DAYS_PRIOR_SD = new Float64Array(SESSION_WIDTH).fill(0.06).fill(0.02, 0, 1);

/** Positions of the features by which any account's session shows. */
const LAST_QUARTER = 1;
const LAST_HOUR = 2;
const LOG_GAP = 1 + RECENT_HOURS.length + RECENT_ALL;

/** How a session showed on two unlike accounts: most in the last quarter of an hour, and less the longer the lead. */
export function sessionPriorMean(hours: number): Float64Array {
  const mean = new Float64Array(SESSION_WIDTH);
  const fading = Math.min(1, hours ** -0.35);
  mean[LAST_QUARTER] = 0.1 * fading;
  mean[LAST_HOUR] = 0.05 * fading;
  mean[LOG_GAP] = -0.11 * Math.min(1, hours ** -0.6);
  return mean;
}

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
