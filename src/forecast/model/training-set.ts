// Past origins on a fixed grid, each described by what was known then: what is learned, is learned from these.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { ORIGIN, type OriginDescriber } from '../rate/origin-features.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { Timeline } from '../time/timeline.ts';
import { STATE_EXPERTS } from './experts.ts';
import { cutBlocks, meanLogRate } from './state-path.ts';
import { filterBlocks, initialState, type RateState } from './state-space.ts';

export const ORIGIN_STEP_HOURS = 3;
const PHASES = 24 / ORIGIN_STEP_HOURS;
/** Days at the start of a record that only warm the rates up, or a third of a short one. */
const WARM_UP_DAYS = 10;
/** Days before the first origin that settle the states. */
const SETTLE_DAYS = 120;

export interface TrainingSet {
  /** Origins, ascending, ORIGIN_STEP_HOURS apart; the last one is at or before asofTs. */
  originTs: Float64Array;
  /** ORIGIN vectors, row-major. */
  origins: Float64Array;
  /** States of the experts: nine numbers (mean, then covariance) per origin, one array per expert. */
  states: readonly Float64Array[];
}

const STATE_WIDTH = 9;

/** The experts' states at an origin of the set. */
export function readStates({ states }: TrainingSet, row: number): RateState[] {
  return states.map((values) => {
    const at = row * STATE_WIDTH;
    const state: RateState = { mean: [0, 0, 0], cov: [0, 0, 0, 0, 0, 0] };
    for (let k = 0; k < 3; k++) state.mean[k] = values[at + k]!;
    for (let k = 0; k < 6; k++) state.cov[k] = values[at + 3 + k]!;
    return state;
  });
}

export function buildTrainingSet(
  timeline: Timeline,
  exposure: ExposureClock,
  describer: OriginDescriber,
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
  return { originTs, origins, states: replayStates(timeline, exposure, originTs, maxDays + SETTLE_DAYS) };
}

/** One filter per phase of the day: each of its blocks ends at one origin. */
function replayStates(
  timeline: Timeline,
  exposure: ExposureClock,
  originTs: Float64Array,
  maxDays: number,
): Float64Array[] {
  const n = originTs.length;
  const states = STATE_EXPERTS.map(() => new Float64Array(n * STATE_WIDTH));
  for (let phase = 0; phase < Math.min(PHASES, n); phase++) {
    const last = n - 1 - phase;
    const blocks = cutBlocks(timeline.counted, exposure, timeline.firstTs, originTs[last]!, maxDays);
    const level = meanLogRate(blocks);
    STATE_EXPERTS.forEach((expert, k) => {
      filterBlocks(blocks.counts, blocks.exposures, expert, initialState(expert, level), (block, state) => {
        const index = last - (blocks.counts.length - 1 - block) * PHASES;
        if (index < 0) return;
        states[k]!.set(state.mean, index * STATE_WIDTH);
        states[k]!.set(state.cov, index * STATE_WIDTH + 3);
      });
    });
  }
  return states;
}
