// Features of the direct regression for one horizon: how the coming rate departs from a fixed blend of the
// core state and the discounted rates. All are differences of logs, so a ridge towards zero means "the blend".

import { ORIGIN } from '../rate/origin-features.ts';
import { stateLogRate } from './state-path.ts';
import type { RateState, StateSpaceParameters } from './state-space.ts';

const C = ORIGIN.counted;
const A = ORIGIN.all;

export const FEATURE_WIDTH = 19;
const LONG_WIDTH = 9;
const LONG_HOURS = 40;

/** What the last hours look like stops mattering after a day: long horizons use the first features only. */
export function featureWidth(horizonHours: number): number {
  return horizonHours >= LONG_HOURS ? LONG_WIDTH : FEATURE_WIDTH;
}

/** Ridge scale per feature: how far each may reasonably move the log rate per unit. */
export const FEATURE_PRIOR_SD = new Float64Array([
  0.05, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.08, 0.08, 0.15, 0.15, 0.15, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1,
]);

/** Writes the features at out[at ...] and returns the offset (log rate of the blend). */
export function writeHorizonFeatures(
  origin: Float64Array,
  originAt: number,
  state: RateState['mean'],
  parameters: StateSpaceParameters,
  horizonHours: number,
  out: Float64Array,
  at: number,
): number {
  const core = stateLogRate({ mean: state } as RateState, parameters, horizonHours / 24);
  const rate = (k: number) => origin[originAt + C + k]!;
  const all = (k: number) => origin[originAt + A + k]!;
  const velocity = origin[originAt + ORIGIN.velocity]!;
  const blend = 0.5 * core + 0.35 * origin[originAt + ORIGIN.ownRate]! + 0.15 * velocity;
  const gap = origin[originAt + ORIGIN.gapAllHours]!;
  const gapCounted = origin[originAt + ORIGIN.gapCountedHours]!;
  const angle = origin[originAt + ORIGIN.hourAngle]!;
  const logGap = Math.log(gap + 0.05) - Math.log(0.6);
  const short = Math.min(gap, 4) - 1;
  out[at] = 1;
  out[at + 1] = core - blend;
  out[at + 2] = rate(2) - rate(3);
  out[at + 3] = rate(3) - rate(4);
  out[at + 4] = rate(4) - rate(5);
  out[at + 5] = rate(5) - rate(6);
  out[at + 6] = rate(6) - rate(7);
  out[at + 7] = all(2) - all(3);
  out[at + 8] = rate(1) - rate(2);
  if (horizonHours >= LONG_HOURS) return blend;
  out[at + 9] = rate(0) - rate(1);
  out[at + 10] = all(0) - all(1);
  out[at + 11] = all(1) - all(2);
  out[at + 12] = logGap;
  out[at + 13] = short;
  out[at + 14] = Math.log(gapCounted + 0.05) - Math.log(gap + 0.05);
  out[at + 15] = Math.cos(angle) * logGap;
  out[at + 16] = Math.sin(angle) * logGap;
  out[at + 17] = Math.cos(angle);
  out[at + 18] = Math.sin(angle);
  return blend;
}
