// Learns how much of the gap between model and market to use, from every priced bucket of settled events: a
// conditional logit with the market as offset, a Gaussian prior and Newton steps. An event's moments share one
// outcome: how much they say together is measured, not assumed (`event-information.ts`).

import { countLeading } from '../../domain/binary-search.ts';
import type { CountWindow } from '../../domain/market-event.ts';
import type { EdgeEvidence, EvidenceSources } from '../../domain/standing-advice.ts';
import { factorise, solveFactorised } from '../sizing/interior-point.ts';
import { describeGap, devigPrices, FEATURE_COUNT } from './blend.ts';
import {
  fitUnaided,
  measureIndependence,
  type PreparedEvent,
  type PreparedMoment,
  tiltMoment,
} from './event-information.ts';

/** Model and prices of a whole ladder at one time in a settled event. */
export interface LadderSample {
  eventId: number;
  leadHours: number;
  model: readonly number[];
  /** Only priced buckets are compared; the file or the venue may not list the others. */
  prices: readonly (number | null)[];
  /** Index of the winning bucket. */
  winner: number;
  /** Overlapping windows of one group share posts, so their errors are correlated. */
  window?: CountWindow;
  group?: string;
  isRecomputed?: boolean;
}

const STEPS = 12;
/** Smaller steps do not change any published digit. */
const CONVERGED = 1e-8;
const MIN_PRICE = 1e-6;

type LessonArguments = [
  samples: readonly LadderSample[],
  prior: EdgeEvidence,
  weightOf?: (sample: LadderSample) => number,
];

/** `prior` counts as if its original data were included; `weightOf` an event is 1, or less for another account. */
export function learnEvidence(...given: LessonArguments): EdgeEvidence {
  const steps = learnInSteps(...given);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** A pause in the preparation after this many samples; removing the margin from prices is slow. */
const SAMPLES_PER_STEP = 20;

/** The same in pieces of a few milliseconds. */
export function* learnInSteps(
  ...[samples, prior, weightOf = () => 1]: LessonArguments
): Generator<undefined, EdgeEvidence> {
  const usable: UsableMoment[] = [];
  for (const [i, sample] of samples.entries()) {
    const isKnown = preparedMoments.has(sample);
    const moment = recallMoment(sample);
    if (moment) usable.push(moment);
    if (!isKnown && i % SAMPLES_PER_STEP === 0) yield;
  }
  if (usable.length === 0) return prior;
  const events = [...Map.groupBy(usable, ({ sample }) => sample.eventId).values()].map(
    (moments): PreparedEvent => {
      const { window = null, group = '' } = moments[0]!.sample;
      return { weight: weightOf(moments[0]!.sample), window, group, moments };
    },
  );
  const base = { mean: prior.mean, precision: invert(prior.covariance) };
  const once = yield* fit(events, base, 1, prior.mean);
  const independence = measureIndependence(events, once);
  yield;
  const weights = yield* fit(events, base, independence, once);
  const information = scale((yield* addUp(events, weights)).information, independence);
  yield;
  const unaided = yield* fitUnaided(events);
  return {
    mean: weights,
    covariance: invert(addMatrices(base.precision, information)),
    events: prior.events + events.length,
    informationPerEvent: averageInformation(prior, information, events.length),
    halt: prior.halt,
    sources: addSources(prior.sources, usable, weightOf),
    ...(unaided && { unaided }),
  };
}

interface UsableMoment extends PreparedMoment {
  sample: LadderSample;
}

/** Settled samples do not change. */
const preparedMoments = new WeakMap<LadderSample, UsableMoment | null>();

function recallMoment(sample: LadderSample): UsableMoment | null {
  const known = preparedMoments.get(sample);
  if (known !== undefined) return known;
  const prepared = prepareMoment(sample);
  preparedMoments.set(sample, prepared);
  return prepared;
}

/**
 * Compares the priced buckets with each other. Unlisted buckets are left out rather than counted as lost: a
 * list that was made with the outcome known always has the winner.
 */
function prepareMoment(sample: LadderSample): UsableMoment | null {
  const { leadHours, winner, prices, model } = sample;
  const priced = prices.flatMap((price, i) => (price === null ? [] : [i]));
  const market =
    priced.length === prices.length ? devigPrices(prices) : shareOut(priced.map((i) => prices[i]!));
  const views = shareOut(priced.map((i) => model[i]!));
  if (!market || !views || priced.length < 2) return null;
  // A bucket that the model rules out has no gap.
  const open = priced.flatMap((bucket, i) =>
    views[i]! > 0 ? [{ bucket, p: views[i]!, m: market[i]! }] : [],
  );
  const place = open.findIndex(({ bucket }) => bucket === winner);
  if (place < 0) return null;
  const features = open.flatMap(({ p, m }) => describeGap(p, m, leadHours));
  return {
    sample,
    logMarket: Float64Array.from(open, ({ m }) => Math.log(Math.max(MIN_PRICE, m))),
    features: Float64Array.from(features),
    winner: place,
  };
}

function shareOut(values: readonly number[]): number[] | null {
  const total = values.reduce((sum, value) => sum + value, 0);
  return total > 0 ? values.map((value) => value / total) : null;
}

/** Counts one event per outcome, by origin; an event with any recomputed moment is a recomputed one. */
function addSources(
  before: EvidenceSources | undefined,
  moments: readonly UsableMoment[],
  weightOf: (sample: LadderSample) => number,
): EvidenceSources {
  const events = [...Map.groupBy(moments, ({ sample }) => sample.eventId).values()];
  const count = (isSo: (sample: LadderSample) => boolean) =>
    events.filter((own) => own.some(({ sample }) => isSo(sample))).length;
  const recomputed = count(({ isRecomputed = false }) => isRecomputed);
  return {
    shipped: before?.shipped ?? 0,
    recomputed: (before?.recomputed ?? 0) + recomputed,
    forward: (before?.forward ?? 0) + events.length - recomputed,
    ofOtherAccounts: (before?.ofOtherAccounts ?? 0) + count((sample) => weightOf(sample) < 1),
  };
}

/** Newton steps to the most probable weights; the likelihood counts `power` times. */
function* fit(
  events: readonly PreparedEvent[],
  prior: { mean: readonly number[]; precision: Matrix },
  power: number,
  from: readonly number[],
): Generator<undefined, number[]> {
  let weights = [...from];
  for (let round = 0; round < STEPS; round++) {
    const { slope, information } = yield* addUp(events, weights);
    const pull = multiply(
      prior.precision,
      weights.map((weight, k) => weight - prior.mean[k]!),
    );
    const move = multiply(
      invert(addMatrices(prior.precision, scale(information, power))),
      slope.map((value, k) => power * value - pull[k]!),
    );
    weights = weights.map((weight, k) => weight + move[k]!);
    if (move.every((step) => Math.abs(step) < CONVERGED)) break;
    yield;
  }
  return weights;
}

/** A pause in the sums after this many events. */
const EVENTS_PER_STEP = 32;

/** Gradient and curvature of the log likelihood, averaged over each event's moments. */
function* addUp(events: readonly PreparedEvent[], weights: readonly number[]) {
  const slope = new Array<number>(FEATURE_COUNT).fill(0);
  const information = slope.map(() => [...slope]);
  for (const [i, { weight, moments }] of events.entries()) {
    for (const moment of moments) addMoment(moment, weights, weight / moments.length, slope, information);
    if (i % EVENTS_PER_STEP === EVENTS_PER_STEP - 1) yield;
  }
  return { slope, information };
}

function addMoment(
  moment: PreparedMoment,
  weights: readonly number[],
  share: number,
  slope: number[],
  information: number[][],
): void {
  const { features, winner } = moment;
  const probabilities = tiltMoment(moment, weights);
  const centre = new Float64Array(FEATURE_COUNT);
  for (let i = 0; i < features.length; i++)
    centre[i % FEATURE_COUNT]! += probabilities[Math.floor(i / FEATURE_COUNT)]! * features[i]!;
  for (let a = 0; a < FEATURE_COUNT; a++) {
    slope[a]! += share * (features[winner * FEATURE_COUNT + a]! - centre[a]!);
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let i = 0, at = 0; i < probabilities.length; i++, at += FEATURE_COUNT)
        sum += probabilities[i]! * (features[at + a]! - centre[a]!) * (features[at + b]! - centre[b]!);
      information[a]![b]! += share * sum;
      if (a !== b) information[b]![a]! += share * sum;
    }
  }
}

/** Of the two gap weights, over the prior's events and these. */
function averageInformation(prior: EdgeEvidence, information: Matrix, events: number): number[][] {
  const before = readInformation(prior);
  return [0, 1].map((a) =>
    [0, 1].map((b) => (before[a]![b]! * prior.events + information[a]![b]!) / (prior.events + events)),
  );
}

/** Two by two; older stored evidence has one number. */
function readInformation({ informationPerEvent: stored }: EdgeEvidence): Matrix {
  if (typeof stored !== 'number') return stored;
  return [
    [stored, 0],
    [0, stored],
  ];
}

type Matrix = readonly (readonly number[])[];

function scale(matrix: Matrix, factor: number): number[][] {
  return matrix.map((row) => row.map((value) => factor * value));
}

function addMatrices(left: Matrix, right: Matrix): number[][] {
  return left.map((row, a) => row.map((value, b) => value + right[a]![b]!));
}

function multiply(matrix: Matrix, vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, value, k) => sum + value * vector[k]!, 0));
}

function invert(matrix: Matrix): number[][] {
  const n = matrix.length;
  const factor = Float64Array.from(matrix.flat());
  if (!factorise(factor, n)) throw new Error('evidence: covariance is not positive definite');
  const columns = matrix.map((_, column) => {
    const unit = new Float64Array(n);
    unit[column] = 1;
    solveFactorised(factor, n, unit);
    return [...unit];
  });
  // The matrix is symmetric, so its columns are its rows.
  return columns;
}

// How many settled events it takes for the bound on a gap's weight to exceed zero.

/** Normal quantile for a one-sided bound at 90 percent. */
export const REACH = 1.2816;
const MAX_EVENTS = 1e6;

/** Every bucket of every decision asks for the same number. */
const known = {
  above: new WeakMap<EdgeEvidence, number | null>(),
  below: new WeakMap<EdgeEvidence, number | null>(),
};

/** null if the evidence contradicts that side, since more of the same would not prove it. */
export function countEventsNeeded(evidence: EdgeEvidence, side: keyof typeof known): number | null {
  let needed = known[side].get(evidence);
  if (needed === undefined) {
    needed = searchEventsNeeded(evidence, side === 'above' ? 0 : 1);
    known[side].set(evidence, needed);
  }
  return needed;
}

function searchEventsNeeded(evidence: EdgeEvidence, k: 0 | 1): number | null {
  const mean = evidence.mean[k]!;
  const variance = evidence.covariance[k]![k]!;
  const isProvenAt = (own: number) => own * REACH ** 2 < mean * mean;
  if (mean <= 0) return null;
  if (isProvenAt(variance)) return evidence.events;
  const precision = invert(evidence.covariance.slice(0, 2).map((row) => row.slice(0, 2)));
  const perEvent = readInformation(evidence);
  const varianceAfter = (more: number) => invert(addMatrices(precision, scale(perEvent, more)))[k]![k]!;
  const more = countLeading(MAX_EVENTS + 1, (few) => !isProvenAt(varianceAfter(few)));
  return more > MAX_EVENTS ? null : evidence.events + more;
}
