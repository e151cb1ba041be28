// How much an event's moments say about the gap weight. They share one outcome, so they are worth less than as
// many independent observations and more than one. The sandwich estimator compares the spread of the events'
// scores with their curvature; overlapping windows share posts, so their scores are correlated too.

import type { CountWindow } from '../../domain/market-event.ts';
import type { UnaidedWeight } from '../../domain/standing-advice.ts';
import { FEATURE_COUNT } from './blend.ts';

/** One priced ladder of a settled event: buckets that can still win. */
export interface PreparedMoment {
  logMarket: Float64Array;
  /** FEATURE_COUNT numbers per bucket. */
  features: Float64Array;
  winner: number;
}

export interface PreparedEvent {
  weight: number;
  window: CountWindow | null;
  group: string;
  moments: readonly PreparedMoment[];
}

/** Each event counts once until about this many have settled, because the measurement itself is uncertain. */
const CAUTIOUS_EVENTS = 20;
const STEPS = 30;
const CONVERGED = 1e-6;
/** A weight beyond this means that the events do not determine it. */
const MAX_WEIGHT = 20;

/** Score and curvature of one event in the direction of a common gap weight, averaged over its moments. */
interface EventScore {
  event: PreparedEvent;
  score: number;
  curvature: number;
}

/** Independent observations per event at these weights: 1 if every event counts once. */
export function measureIndependence(events: readonly PreparedEvent[], weights: readonly number[]): number {
  const scores = events.map((event) => scoreEvent(event, weights));
  return compareSpread(scores);
}

function compareSpread(scores: readonly EventScore[]): number {
  const count = scores.reduce((sum, { event }) => sum + event.weight, 0);
  const curvature = scores.reduce((sum, { event, curvature: own }) => sum + event.weight * own, 0);
  if (count <= 1 || curvature <= 0) return 1;
  const moments = scores.reduce((sum, { event }) => sum + event.weight * event.moments.length, 0) / count;
  // One weight was fitted to these scores, which makes them look too small.
  const spread = Math.max(curvature / moments, (sumOfProducts(scores) * count) / (count - 1));
  const cautious = (count * spread + CAUTIOUS_EVENTS * curvature) / (count + CAUTIOUS_EVENTS);
  return curvature / cautious;
}

/** Probabilities proportional to market * exp(weights . features). */
export function tiltMoment(
  { logMarket, features }: PreparedMoment,
  weights: readonly number[],
): Float64Array {
  const raw = logMarket.map((log, i) => {
    let sum = log;
    for (let k = 0; k < weights.length; k++) sum += weights[k]! * features[i * FEATURE_COUNT + k]!;
    return Math.exp(sum);
  });
  const total = raw.reduce((sum, q) => sum + q, 0);
  return raw.map((q) => q / total);
}

function scoreEvent(event: PreparedEvent, weights: readonly number[]): EventScore {
  let [score, curvature] = [0, 0];
  for (const moment of event.moments) {
    const { features, winner } = moment;
    const gapOf = (i: number) => features[i * FEATURE_COUNT]! + features[i * FEATURE_COUNT + 1]!;
    const probabilities = tiltMoment(moment, weights);
    const centre = probabilities.reduce((sum, q, i) => sum + q * gapOf(i), 0);
    score += (gapOf(winner) - centre) / event.moments.length;
    curvature +=
      probabilities.reduce((sum, q, i) => sum + q * (gapOf(i) - centre) ** 2, 0) / event.moments.length;
  }
  return { event, score, curvature };
}

/** Sum of squared scores, plus products of overlapping events in proportion to the overlap. */
function sumOfProducts(scores: readonly EventScore[]): number {
  const ordered = scores.toSorted((a, b) => (a.event.window?.startTs ?? 0) - (b.event.window?.startTs ?? 0));
  let total = 0;
  ordered.forEach((own, i) => {
    total += own.event.weight * own.score ** 2;
    for (const later of ordered.slice(i + 1)) {
      if (!own.event.window || !later.event.window) break;
      if (later.event.window.startTs >= own.event.window.endTs) break;
      total += 2 * overlapOf(own.event, later.event) * own.score * later.score;
    }
  });
  return total;
}

/** Correlation of two counts of the same posts, times the events' weights. */
function overlapOf(one: PreparedEvent, other: PreparedEvent): number {
  const [a, b] = [one.window!, other.window!];
  if (one.group !== other.group) return 0;
  const sharedMs = Math.max(0, Math.min(a.endTs, b.endTs) - Math.max(a.startTs, b.startTs));
  const lengthMs = Math.sqrt((a.endTs - a.startTs) * (b.endTs - b.startTs));
  return Math.sqrt(one.weight * other.weight) * (sharedMs / lengthMs);
}

/** The common gap weight that the events ask for without a prior; null if they do not determine it. */
export function* fitUnaided(events: readonly PreparedEvent[]): Generator<undefined, UnaidedWeight | null> {
  let weight = 0;
  for (let round = 0; round < STEPS; round++) {
    const { slope, curvature } = sumUp(events, weight);
    if (!(curvature > 0) || Math.abs(weight) > MAX_WEIGHT) return null;
    const step = Math.max(-1, Math.min(1, slope / curvature));
    weight += step;
    if (Math.abs(step) < CONVERGED) break;
    yield;
  }
  const { scores, curvature } = sumUp(events, weight);
  const independentMoments = compareSpread(scores);
  return { weight, sd: 1 / Math.sqrt(curvature * independentMoments), independentMoments };
}

function sumUp(events: readonly PreparedEvent[], weight: number) {
  const scores = events.map((event) => scoreEvent(event, [weight, weight]));
  const sumOf = (pick: (score: EventScore) => number) =>
    scores.reduce((sum, score) => sum + score.event.weight * pick(score), 0);
  return { scores, slope: sumOf(({ score }) => score), curvature: sumOf(({ curvature }) => curvature) };
}
