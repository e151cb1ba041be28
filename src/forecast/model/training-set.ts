// Past origins on a fixed grid, each described by what was known then: what the direct models learn from.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { ORIGIN, type OriginDescriber } from '../rate/origin-features.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { Timeline } from '../time/timeline.ts';
import { cutBlocks, meanLogRate } from './state-path.ts';
import { filterBlocks, initialState, type RateState, type StateSpaceParameters } from './state-space.ts';

export const ORIGIN_STEP_HOURS = 3;
const PHASES = 24 / ORIGIN_STEP_HOURS;
/** Days at the start of a record that only warm the rates up. */
const WARM_UP_DAYS = 10;

export interface TrainingSet {
  /** Origins, ascending, ORIGIN_STEP_HOURS apart; the last one is at or before asofTs. */
  originTs: Float64Array;
  /** ORIGIN vectors, row-major. */
  origins: Float64Array;
  /** Core state means (fast, slow, level) per origin, row-major. */
  states: Float64Array;
  /** Core spread per origin. */
  spreads: Float64Array;
}

export function buildTrainingSet(
  timeline: Timeline,
  exposure: ExposureClock,
  describer: OriginDescriber,
  parameters: StateSpaceParameters,
  asofTs: number,
  maxDays: number,
): TrainingSet {
  const lastTs = Math.floor(asofTs / (ORIGIN_STEP_HOURS * HOUR_MS)) * ORIGIN_STEP_HOURS * HOUR_MS;
  const earliest = Math.max(timeline.firstTs + WARM_UP_DAYS * DAY_MS, lastTs - maxDays * DAY_MS);
  const n = Math.max(0, Math.floor((lastTs - earliest) / (ORIGIN_STEP_HOURS * HOUR_MS)) + 1);
  const originTs = new Float64Array(n);
  const origins = new Float64Array(n * ORIGIN.width);
  for (let i = 0; i < n; i++) {
    originTs[i] = lastTs - (n - 1 - i) * ORIGIN_STEP_HOURS * HOUR_MS;
    describer.describe(originTs[i]!, origins, i * ORIGIN.width);
  }
  return { originTs, origins, ...replayStates(timeline, exposure, parameters, originTs) };
}

/** One filter per phase of the day: each of its blocks ends at one origin. */
function replayStates(
  timeline: Timeline,
  exposure: ExposureClock,
  parameters: StateSpaceParameters,
  originTs: Float64Array,
): Pick<TrainingSet, 'states' | 'spreads'> {
  const n = originTs.length;
  const states = new Float64Array(n * 3);
  const spreads = new Float64Array(n).fill(1);
  for (let phase = 0; phase < Math.min(PHASES, n); phase++) {
    const last = n - 1 - phase;
    const blocks = cutBlocks(timeline.counted, exposure, timeline.firstTs, originTs[last]!, 1e6);
    const total = blocks.counts.length;
    const record = (block: number, _innovation: number, state: RateState) => {
      const index = last - (total - 1 - block) * PHASES;
      if (index < 0) return;
      states.set(state.mean, index * 3);
      spreads[index] = state.spread;
    };
    const start = initialState(parameters, meanLogRate(blocks));
    filterBlocks(blocks.counts, blocks.exposures, parameters, start, record);
  }
  return { states, spreads };
}
