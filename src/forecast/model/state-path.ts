// 24-hour blocks for the state models: past blocks ending at an origin, and future blocks starting there.

import { DAY_MS } from '../../domain/units.ts';
import type { CountShape } from '../distribution/count-shape.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';
import { type CoreParameters, type CoreState, exactMoments } from './core-state.ts';

export interface BlockSeries {
  counts: Float64Array;
  exposures: Float64Array;
  /** Start of the first block. */
  startTs: number;
}

/** Consecutive 24-hour blocks (a, b] ending at endTs: at most maxDays of them, none before firstTs. */
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

/** ln of the mean rate per hour of exposure over the blocks, used as the centre of the level's prior. */
export function meanLogRate(blocks: BlockSeries): number {
  let count = 1;
  let exposure = 1;
  for (let d = 0; d < blocks.counts.length; d++) {
    count += blocks.counts[d]!;
    exposure += blocks.exposures[d]!;
  }
  return Math.log(count / exposure);
}

const MAX_BLOCKS = 64;

/** Blocks start at asofTs; only the part inside [startTs, endTs) has exposure. */
export function cutComingBlocks(
  exposure: ExposureClock,
  asofTs: number,
  startTs: number,
  endTs: number,
): ComingBlocks {
  const n = Math.min(MAX_BLOCKS, Math.max(1, Math.ceil((endTs - asofTs) / DAY_MS)));
  const exposures = new Float64Array(n);
  const shares = new Float64Array(n);
  for (let d = 0; d < n; d++) {
    const from = Math.max(startTs, asofTs + d * DAY_MS);
    const to = d === n - 1 ? endTs : Math.min(endTs, asofTs + (d + 1) * DAY_MS);
    exposures[d] = exposure.between(from, to);
    shares[d] = Math.max(1 / 24, Math.min(1, (to - from) / DAY_MS));
  }
  return { exposures, shares };
}

// Remaining count given a state: exact mean and variance, represented as a log-normal mean with counting
// noise.

/** Size of the counting noise given a state: posts within a day cluster slightly more than Poisson. */
export const COUNTING_SIZE = 80;

/** Remaining 24-hour blocks of a window: the exposure of each, and its fraction of a full day. */
export interface ComingBlocks {
  exposures: Float64Array;
  shares: Float64Array;
}

export function comingShape(
  state: CoreState,
  parameters: CoreParameters,
  { exposures, shares }: ComingBlocks,
): CountShape {
  // Part of a day is noisier than a full day, but only slightly, because its hours are correlated.
  const noiseSds = shares.map((share) => parameters.daySd * share ** -0.25);
  const { mean, variance } = exactMoments(state, parameters, exposures, noiseSds);
  const logVariance = mean > 0 ? Math.log1p((variance - mean) / mean ** 2) : 0;
  return { mean, logVariance, size: COUNTING_SIZE };
}
