// The training set: past origins on a fixed grid, each described by the data known at the time.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { ORIGIN, type OriginDescriber } from '../rate/origin-features.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { Timeline } from '../time/timeline.ts';
import { type CoreParameters, type CoreState, filterCore, initialCore } from './core-state.ts';
import { filterFixed } from './fixed-state.ts';
import { cutBlocks, meanLogRate } from './state-path.ts';

export const ORIGIN_STEP_HOURS = 3;
const PHASES = 24 / ORIGIN_STEP_HOURS;
/** Days at the start of the history used only to warm up the rates; at most a third of a short history. */
const WARM_UP_DAYS = 10;
/** Days before the first origin used to warm up the states. */
const SETTLE_DAYS = 120;

export interface TrainingSet {
  /** Origins in ascending order, ORIGIN_STEP_HOURS apart; the last is at or before asofTs. */
  originTs: Float64Array;
  /** ORIGIN vectors, row-major. */
  origins: Float64Array;
  /** Core and fixed state at each origin. */
  core: CoreState[];
  fixed: CoreState[];
}

export function buildTrainingSet(
  timeline: Timeline,
  exposure: ExposureClock,
  describer: OriginDescriber,
  core: CoreParameters,
  asofTs: number,
  maxDays: number,
): TrainingSet {
  const stepMs = ORIGIN_STEP_HOURS * HOUR_MS;
  const lastTs = Math.floor(asofTs / stepMs) * stepMs;
  const warmUpMs = Math.min(WARM_UP_DAYS * DAY_MS, (lastTs - timeline.firstTs) / 3);
  const earliest = Math.max(timeline.firstTs + warmUpMs, lastTs - maxDays * DAY_MS);
  const n = Math.max(0, Math.floor((lastTs - earliest) / stepMs) + 1);
  const originTs = new Float64Array(n);
  const origins = new Float64Array(n * ORIGIN.width);
  for (let i = 0; i < n; i++) {
    originTs[i] = lastTs - (n - 1 - i) * stepMs;
    describer.describe(originTs[i]!, origins, i * ORIGIN.width);
  }
  return { originTs, origins, ...replayStates(timeline, exposure, core, originTs, maxDays + SETTLE_DAYS) };
}

/** Runs one filter per time of day, so that each of its blocks ends at an origin. */
function replayStates(
  { counted, firstTs }: Timeline,
  exposure: ExposureClock,
  parameters: CoreParameters,
  originTs: Float64Array,
  maxDays: number,
): Pick<TrainingSet, 'core' | 'fixed'> {
  const n = originTs.length;
  const core: CoreState[] = [];
  const fixed: CoreState[] = [];
  for (let phase = 0; phase < Math.min(PHASES, n); phase++) {
    const last = n - 1 - phase;
    const blocks = cutBlocks(counted, exposure, firstTs, originTs[last]!, maxDays);
    const start = initialCore(parameters, meanLogRate(blocks));
    const keep = (states: CoreState[], block: number, { mean, cov, spread }: CoreState) => {
      const index = last - (blocks.counts.length - 1 - block) * PHASES;
      if (index >= 0) states[index] = { mean: [...mean], cov: [...cov], spread };
    };
    filterCore(blocks.counts, blocks.exposures, parameters, start, (block, _, state) =>
      keep(core, block, state),
    );
    filterFixed(blocks, (block, state) => keep(fixed, block, state));
  }
  return { core, fixed };
}

/** Rows with windows that have ended, counted back from the last. */
export function listRows(set: TrainingSet, stride: number, lastTs: number, days: number): number[] {
  const rows: number[] = [];
  for (let i = (set.originTs.length - 1) % stride; i < set.originTs.length; i += stride) {
    const ts = set.originTs[i]!;
    if (ts <= lastTs && ts > lastTs - days * DAY_MS && set.core[i] && set.fixed[i]) rows.push(i);
  }
  return rows;
}
