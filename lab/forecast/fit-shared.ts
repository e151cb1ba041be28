// Fits shared coefficients: how the remaining count departs from the core's mean, and the members' weights.
// `lab forecast fit` prints the tables of src/forecast/model/shared-coefficients.ts; leave-out.ts fits them
// without some accounts.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { createForecaster } from '../../src/forecast/forecaster.ts';
import { fitCore } from '../../src/forecast/model/core-fit.ts';
import { type CountSample, fitCountRegression } from '../../src/forecast/model/count-regression.ts';
import { anchorFor } from '../../src/forecast/model/fitted-model.ts';
import { MEMBERS } from '../../src/forecast/model/member-names.ts';
import { type SampleRule, samplePast } from '../../src/forecast/model/past-windows.ts';
import { learnWeights } from '../../src/forecast/model/pool.ts';
import { densitiesOf, listPastWindows } from '../../src/forecast/model/pool-fit.ts';
import { MOVES_WIDTH, writeMoves } from '../../src/forecast/model/session-features.ts';
import { SESSION_HOURS, sessionRule } from '../../src/forecast/model/session-fit.ts';
import { type SharedKnowledge, WEIGHT_HOURS } from '../../src/forecast/model/shared-coefficients.ts';
import { cutBlocks, meanLogRate } from '../../src/forecast/model/state-path.ts';
import { buildTrainingSet } from '../../src/forecast/model/training-set.ts';
import { OriginDescriber } from '../../src/forecast/rate/origin-features.ts';
import { ExposureClock, estimateWeekProfile } from '../../src/forecast/time/exposure.ts';
import type { MarketZone } from '../../src/forecast/time/market-zone.ts';
import { createTimeline } from '../../src/forecast/time/timeline.ts';
import type { PostHistory } from '../../src/forecast/types.ts';
import { PARAMETERS, SEED } from './walk.ts';

const EVERY_DAYS = 28;
const WARM_UP_DAYS = 120;
const STRIDE = 3;
const REVERSION_HOURS = [24, 72, 168];
const SHRINK = 0.5;
/** Weights are fitted to the four weeks after each of these refits. */
const WEIGHTS_EVERY_DAYS = 84;
const WEIGHTS_DAYS = 28;

/** Rows of one account, by kind of regression and horizon. */
export type Samples = ReadonlyMap<string, readonly CountSample[]>;

/** Each member's density at the outcome, by horizon. */
export type Densities = ReadonlyMap<number, { given: Float64Array; news: number }[]>;

export function fitCoefficients(
  accounts: readonly Samples[],
): Pick<SharedKnowledge, 'session' | 'reversion'> {
  const fit = (key: string) => {
    const sample = join(accounts.flatMap((samples) => samples.get(key) ?? []));
    const prior = { mean: new Float64Array(sample.width), sd: new Float64Array(sample.width).fill(0.22) };
    const { beta } = fitCountRegression(sample, prior, { size: 5, logSd: 0.5 });
    return Array.from(beta, (x) => Math.round(1000 * SHRINK * x) / 1000);
  };
  return {
    session: Object.fromEntries(SESSION_HOURS.map((hours) => [hours, fit(`session ${hours}`)])),
    reversion: REVERSION_HOURS.map((hours) => ({ hours, beta: fit(`moves ${hours}`) })),
  };
}

/** Common weights of the accounts, shrunk to equal ones. */
export function fitWeights(accounts: readonly Densities[]): SharedKnowledge['weights'] {
  const equal = new Float64Array(MEMBERS.length).fill(1 / MEMBERS.length);
  const entries = WEIGHT_HOURS.map((hours) => {
    const rows = accounts.flatMap((densities) => densities.get(hours) ?? []);
    const learned = learnWeights(
      equal,
      rows.map(({ given }) => given),
      rows.map(({ news }) => news),
    );
    return [
      hours,
      Object.fromEntries(MEMBERS.map((name, k) => [name, Math.round(1000 * learned[k]!) / 1000])),
    ];
  });
  return Object.fromEntries(entries);
}

/** Every four weeks the core is fitted to the past, and the following weeks become rows. */
export function gatherSamples(history: PostHistory, zone: MarketZone): Samples {
  const samples = new Map<string, CountSample[]>();
  const timeline = createTimeline(history);
  const { counted, firstTs, firstHour } = timeline;
  for (const anchorTs of listAnchors(history, EVERY_DAYS)) {
    const profile = estimateWeekProfile(counted, firstTs, anchorTs, zone);
    const exposure = new ExposureClock(profile, zone, firstHour, Math.ceil(anchorTs / HOUR_MS) + 24 * 60);
    const describer = new OriginDescriber(timeline, exposure, zone, anchorTs);
    const blocks = cutBlocks(counted, exposure, firstTs, anchorTs, 400);
    const core = fitCore(blocks.counts, blocks.exposures, meanLogRate(blocks));
    const endTs = anchorTs + EVERY_DAYS * DAY_MS;
    const set = buildTrainingSet(timeline, exposure, describer, core, endTs, EVERY_DAYS - 1);
    const session = sessionRule({ set, counted, exposure, asofTs: endTs }, core);
    const moves: SampleRule = { ...session, width: MOVES_WIDTH, write: writeMoves };
    const add = (kind: string, hours: number, rule: SampleRule) => {
      const source = { set, counted, exposure, asofTs: endTs + hours * HOUR_MS };
      const sample = samplePast(source, { hours, stride: STRIDE, days: EVERY_DAYS }, rule);
      const key = `${kind} ${hours}`;
      samples.set(key, [...(samples.get(key) ?? []), sample]);
    };
    for (const hours of SESSION_HOURS) add('session', hours, session);
    for (const hours of REVERSION_HOURS) add('moves', hours, moves);
  }
  return samples;
}

/** Windows in the weeks after a refit, so that no member has seen them. */
export function gatherDensities(history: PostHistory, shared: SharedKnowledge): Densities {
  const rows = new Map<number, { given: Float64Array; news: number }[]>();
  const { timeline, refit } = createForecaster(history, PARAMETERS, SEED, shared);
  for (const anchorTs of listAnchors(history, WEIGHTS_EVERY_DAYS)) {
    const model = refit(anchorTs);
    const { exposure, describer, core } = model;
    const endTs = anchorTs + WEIGHTS_DAYS * DAY_MS;
    const set = buildTrainingSet(timeline, exposure, describer, core, endTs, WEIGHTS_DAYS - 1);
    for (const hours of WEIGHT_HOURS) {
      const source = { set, counted: timeline.counted, exposure, asofTs: endTs + hours * HOUR_MS };
      const past = listPastWindows(hours, source, model);
      rows.set(hours, [
        ...(rows.get(hours) ?? []),
        ...past.map((window) => ({ given: densitiesOf(window), news: window.news })),
      ]);
    }
  }
  return rows;
}

function listAnchors({ createdTs }: PostHistory, everyDays: number): number[] {
  const anchors: number[] = [];
  const lastTs = createdTs.at(-1)! - 2 * EVERY_DAYS * DAY_MS;
  for (let ts = anchorFor(createdTs[0]! + WARM_UP_DAYS * DAY_MS); ts < lastTs; ts += everyDays * DAY_MS)
    anchors.push(ts);
  return anchors;
}

function join(samples: readonly CountSample[]): CountSample {
  const all = (pick: (sample: CountSample) => Float64Array) => {
    const out = new Float64Array(samples.reduce((n, sample) => n + pick(sample).length, 0));
    let at = 0;
    for (const sample of samples) {
      out.set(pick(sample), at);
      at += pick(sample).length;
    }
    return out;
  };
  return {
    width: samples[0]!.width,
    features: all((s) => s.features),
    counts: all((s) => s.counts),
    offsets: all((s) => s.offsets),
    weights: all((s) => s.weights),
    scales: all((s) => s.scales),
  };
}
