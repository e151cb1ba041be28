// How wide the pool should speak of this account, learned from how far it would have missed: a pool of members that are
// each right is too wide, and members fitted day by day may be wrong about a week.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { Timeline } from '../time/timeline.ts';
import { BANK_HOURS, type BankFit, listRows, speakOfPast } from './bank-fit.ts';
import { KERNEL_SIZE } from './coming-load.ts';
import { type CoreParameters, type CoreState, filterCore, initialCore } from './core-state.ts';
import type { ExpertWords } from './expert-words.ts';
import { EXPERT_COUNT } from './experts.ts';
import { LONG_SHARES } from './pool.ts';
import { createRatePaths } from './rate-paths.ts';
import { cutBlocks, cutComingBlocks, meanLogRate } from './state-path.ts';
import { drawCommonNormals } from './state-simulation.ts';
import { ORIGIN_STEP_HOURS, type TrainingSet } from './training-set.ts';

export interface WidthFit {
  hours: number;
  /** Factor of the distribution's width on the log scale. */
  factor: number;
}

/** The width is as it comes until so many windows that do not overlap say otherwise; a record has few long ones. */
const PRIOR_WINDOWS: Readonly<Record<number, number>> = { 24: 40, 72: 25, 168: 20 };
const HALF_LIFE_DAYS = 150;
const REACH_DAYS = 250;
const LEAST = 0.75;
const MOST = 1.2;
/** A single window says no more than this many standard deviations. */
const MOST_SURPRISE = 3;
/** Origins lie two days apart: nearer ones say much the same. */
const APART_HOURS = 48;
/** Few paths are enough for a mean and a variance; the same ones everywhere. */
const paths = createRatePaths(drawCommonNormals(7, 64, 7));

/** Mean and variance of a count. */
interface Moments {
  mean: number;
  variance: number;
}

export function fitWidths(
  timeline: Timeline,
  exposure: ExposureClock,
  set: TrainingSet,
  bank: readonly BankFit[],
  core: CoreParameters,
  asofTs: number,
): WidthFit[] {
  const states = replayCore(timeline, exposure, core, set.originTs.at(-1) ?? asofTs);
  return BANK_HOURS.map((hours, k) => {
    const spanMs = hours * HOUR_MS;
    const rows = listRows(set, APART_HOURS / ORIGIN_STEP_HOURS, asofTs - spanMs, REACH_DAYS);
    const words = speakOfPast(set, rows, spanMs, exposure);
    let windows = PRIOR_WINDOWS[hours]!;
    let squares = windows;
    rows.forEach((row, i) => {
      const ts = set.originTs[row]!;
      const state = states.get(ts);
      if (!state) return;
      const ahead = bankMoments(words, i, bank[k]!.weights);
      const said = mixMoments(coreMoments(state, core, exposure, ts, spanMs), ahead);
      const news =
        Math.min(1, APART_HOURS / hours) * 2 ** ((ts + spanMs - asofTs) / (HALF_LIFE_DAYS * DAY_MS));
      squares += news * surprise(said, timeline.counted.countSince(ts, ts + spanMs)) ** 2;
      windows += news;
    });
    return { hours, factor: Math.max(LEAST, Math.min(MOST, Math.sqrt(squares / windows))) };
  });
}

/** The core's state at the end of each day up to lastTs. */
function replayCore(
  { counted, firstTs }: Timeline,
  exposure: ExposureClock,
  core: CoreParameters,
  lastTs: number,
): Map<number, CoreState> {
  const blocks = cutBlocks(counted, exposure, firstTs, lastTs, 2 * REACH_DAYS);
  const states = new Map<number, CoreState>();
  filterCore(
    blocks.counts,
    blocks.exposures,
    core,
    initialCore(core, meanLogRate(blocks)),
    (block, _, state) => {
      states.set(blocks.startTs + (block + 1) * DAY_MS, state);
    },
  );
  return states;
}

function coreMoments(
  state: CoreState,
  core: CoreParameters,
  exposure: ExposureClock,
  ts: number,
  spanMs: number,
): Moments {
  const loads = paths.loads(state, core, cutComingBlocks(exposure, ts, ts, ts + spanMs));
  let sum = 0;
  let squares = 0;
  for (const load of loads) {
    sum += load;
    squares += load * load;
  }
  const mean = sum / loads.length;
  const square = squares / loads.length;
  return { mean, variance: square - mean * mean + mean + square / KERNEL_SIZE };
}

function bankMoments(
  { means, logVariances, sizes }: ExpertWords,
  row: number,
  weights: Float64Array,
): Moments {
  let mean = 0;
  let square = 0;
  for (let k = 0; k < EXPERT_COUNT; k++) {
    const i = row * EXPERT_COUNT + k;
    const load = means[i]! ** 2 * Math.exp(logVariances[i]!);
    mean += weights[k]! * means[i]!;
    square += weights[k]! * (load * (1 + 1 / sizes[i]!) + means[i]!);
  }
  return { mean, variance: square - mean * mean };
}

/** The core and the bank as the pool mixes them. */
function mixMoments(core: Moments, bank: Moments): Moments {
  const share = LONG_SHARES.core / (LONG_SHARES.core + LONG_SHARES.bank);
  const mean = share * core.mean + (1 - share) * bank.mean;
  const square = share * (core.variance + core.mean ** 2) + (1 - share) * (bank.variance + bank.mean ** 2);
  return { mean, variance: square - mean * mean };
}

/** How far a count lies from the middle of a gamma of these moments, by Wilson and Hilferty's cube root. */
function surprise({ mean, variance }: Moments, count: number): number {
  const ninth = variance / (9 * mean * mean);
  const z = (Math.cbrt((count + 0.25) / mean) - (1 - ninth)) / Math.sqrt(ninth);
  return Math.max(-MOST_SURPRISE, Math.min(MOST_SURPRISE, z));
}
