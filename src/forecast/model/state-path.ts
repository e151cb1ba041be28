// The core model's state at many past origins and at the present one: 24-hour blocks that end at each origin.

import { DAY_MS } from '../../domain/units.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';
import { filterBlocks, initialState, type RateState, type StateSpaceParameters } from './state-space.ts';

export interface BlockSeries {
  counts: Float64Array;
  exposures: Float64Array;
  /** Start of the first block. */
  startTs: number;
}

/** Consecutive 24-hour blocks (a, b] ending at endTs, at most maxDays of them and none before firstTs. */
export function cutBlocks(
  counted: SortedTimes,
  exposure: ExposureClock,
  firstTs: number,
  endTs: number,
  maxDays: number,
): BlockSeries {
  const days = Math.max(0, Math.min(maxDays, Math.floor((endTs - firstTs) / DAY_MS)));
  const startTs = endTs - days * DAY_MS;
  const counts = new Float64Array(days);
  const exposures = new Float64Array(days);
  let before = counted.countUpTo(startTs);
  for (let d = 0; d < days; d++) {
    const blockEnd = startTs + (d + 1) * DAY_MS;
    const upTo = counted.countUpTo(blockEnd);
    counts[d] = upTo - before;
    exposures[d] = exposure.between(blockEnd - DAY_MS, blockEnd);
    before = upTo;
  }
  return { counts, exposures, startTs };
}

/** ln mean rate per hour of exposure over the blocks: where the level's prior sits. */
export function meanLogRate(blocks: BlockSeries): number {
  let count = 1;
  let exposure = 1;
  for (let d = 0; d < blocks.counts.length; d++) {
    count += blocks.counts[d]!;
    exposure += blocks.exposures[d]!;
  }
  return Math.log(count / exposure);
}

export function filterTo(blocks: BlockSeries, parameters: StateSpaceParameters): RateState {
  return filterBlocks(
    blocks.counts,
    blocks.exposures,
    parameters,
    initialState(parameters, meanLogRate(blocks)),
  ).state;
}

const SKEW_SHARE = 0.5;

/**
 * ln of the mean over the coming days of the rate: the core model's point forecast per exposure. A day's noise is
 * skewed, so its mean lies above its median; half of that is believed (the rest of it is bursts that do not repeat).
 */
export function stateLogRate(state: RateState, parameters: StateSpaceParameters, days: number): number {
  const [fast, slow, medianLevel] = state.mean;
  const level = medianLevel + SKEW_SHARE * 0.5 * parameters.daySd ** 2;
  const f1 = Math.exp(-1 / parameters.fastDays);
  const f2 = Math.exp(-1 / parameters.slowDays);
  const blocks = Math.max(1, Math.round(days));
  let x1 = fast * f1;
  let x2 = slow * f2;
  if (blocks === 1) return x1 + x2 + level;
  let sum = 0;
  for (let d = 0; d < blocks; d++) {
    sum += Math.exp(x1 + x2);
    x1 *= f1;
    x2 *= f2;
  }
  return level + Math.log(sum / blocks);
}
