// Learns how much of the gap between model and market to use, from every priced bucket of settled events: a
// conditional logit with the market as offset, a Gaussian prior and Newton steps. An event counts once
// however often it was observed, because all its observations share one outcome.

import type { EdgeEvidence } from '../../domain/edge-evidence.ts';
import { factorise, solveFactorised } from '../sizing/cholesky.ts';
import { averageFeatures, readMarket, tilt } from './blend.ts';
import { describeGap, FEATURE_COUNT } from './gap-features.ts';

/** Model and prices of a whole ladder at one time in a settled event. */
export interface LadderSample {
  eventId: number;
  leadHours: number;
  model: readonly number[];
  prices: readonly (number | null)[];
  /** Index of the winning bucket. */
  winner: number;
  /** Weight of the event: 1, or less for an event from another account. */
  eventWeight?: number;
}

interface PreparedSample {
  model: readonly number[];
  market: readonly number[];
  features: readonly (readonly number[])[];
  winner: number;
  weight: number;
}

const STEPS = 12;
/** Smaller steps do not change any published digit. */
const CONVERGED = 1e-9;

/** `prior` counts as if its original data were included. */
export function learnEvidence(samples: readonly LadderSample[], prior: EdgeEvidence): EdgeEvidence {
  const prepared = prepareSamples(samples);
  if (prepared.length === 0) return prior;
  const priorPrecision = invert(prior.covariance);
  let weights = [...prior.mean];
  for (let round = 0; round < STEPS; round++) {
    const { slope, information } = addUp(prepared, weights);
    const away = weights.map((weight, k) => weight - prior.mean[k]!);
    const pull = multiply(priorPrecision, away);
    const total = addMatrices(priorPrecision, information);
    const move = multiply(
      invert(total),
      slope.map((value, k) => value - pull[k]!),
    );
    weights = weights.map((weight, k) => weight + move[k]!);
    if (move.every((step) => Math.abs(step) < CONVERGED)) break;
  }
  const { information } = addUp(prepared, weights);
  const events = new Set(samples.map(({ eventId }) => eventId)).size;
  const own = (information[0]![0]! + information[1]![1]!) / 2;
  return {
    mean: weights,
    covariance: invert(addMatrices(priorPrecision, information)),
    events: prior.events + events,
    informationPerEvent: (prior.informationPerEvent * prior.events + own) / (prior.events + events),
    halt: prior.halt,
  };
}

function prepareSamples(samples: readonly LadderSample[]): PreparedSample[] {
  const moments = new Map<number, number>();
  const usable = samples.flatMap((sample) => {
    const market = readMarket(sample.model, sample.prices);
    return market && (sample.model[sample.winner] ?? 0) > 0 ? [{ sample, market }] : [];
  });
  for (const { sample } of usable) moments.set(sample.eventId, (moments.get(sample.eventId) ?? 0) + 1);
  return usable.map(({ sample: { eventId, leadHours, model, winner, eventWeight = 1 }, market }) => ({
    model,
    market,
    features: model.map((p, i) => describeGap(p, market[i]!, leadHours)),
    winner,
    weight: eventWeight / moments.get(eventId)!,
  }));
}

/** Gradient and curvature of the log likelihood. */
function addUp(samples: readonly PreparedSample[], weights: readonly number[]) {
  const slope = new Array<number>(FEATURE_COUNT).fill(0);
  const information = zeroMatrix();
  for (const { model, market, features, winner, weight } of samples) {
    const probabilities = tilt(model, market, features, weights);
    const centre = averageFeatures(probabilities, features);
    for (let a = 0; a < FEATURE_COUNT; a++) slope[a]! += weight * (features[winner]![a]! - centre[a]!);
    features.forEach((feature, i) => {
      const share = weight * probabilities[i]!;
      if (share === 0) return;
      for (let a = 0; a < FEATURE_COUNT; a++) {
        for (let b = 0; b < FEATURE_COUNT; b++) {
          information[a]![b]! += share * (feature[a]! - centre[a]!) * (feature[b]! - centre[b]!);
        }
      }
    });
  }
  return { slope, information };
}

type Matrix = readonly (readonly number[])[];

function zeroMatrix(): number[][] {
  return Array.from({ length: FEATURE_COUNT }, () => new Array<number>(FEATURE_COUNT).fill(0));
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
