// Learns how much of the gap between model and market to use, from every priced bucket of settled events: a
// conditional logit with the market as offset, a Gaussian prior and Newton steps. An event counts once
// however often it was observed, because all its observations share one outcome.

import type { EdgeEvidence } from '../../domain/standing-advice.ts';
import { factorise, solveFactorised } from '../sizing/cholesky.ts';
import { averageFeatures, describeGap, FEATURE_COUNT, readMarket, tilt } from './blend.ts';

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

// How many settled events it takes for the bound on a gap's weight to exceed zero.

/** Normal quantile for a one-sided bound at 90 percent. */
const REACH = 1.2816;

/** null if the evidence contradicts that side, since more of the same would not prove it. */
export function countEventsNeeded(evidence: EdgeEvidence, side: 'above' | 'below'): number | null {
  const k = side === 'above' ? 0 : 1;
  const mean = evidence.mean[k]!;
  if (mean <= 0 || evidence.informationPerEvent <= 0) return null;
  const known = 1 / evidence.covariance[k]![k]!;
  const wanted = (REACH / mean) ** 2;
  return evidence.events + Math.ceil(Math.max(0, wanted - known) / evidence.informationPerEvent);
}

// The prior used until the first events have settled.

/**
 * Before any ladder has settled: weight about 0.3 on a gap if the model is below the market and half that if
 * above (Yes edges showed adverse selection), and zero for lead, gap size and price band, each with its sd.
 */
export const VAGUE_EVIDENCE: EdgeEvidence = {
  mean: [0.15, 0.3, 0, 0, 0],
  covariance: diagonal([0.3, 0.3, 0.15, 0.15, 0.1]),
  events: 0,
  informationPerEvent: 0.03,
  halt: null,
};

/** From 12 weekly ladders of account A; `npx tallycast backtest --prices FILE --leads all` prints it. */
export const PRIOR_EVIDENCE: EdgeEvidence = {
  mean: [0.197, 0.31, 0, 0.004, -0.023],
  covariance: diagonal([0.294, 0.296, 0.15, 0.149, 0.1]),
  events: 12,
  informationPerEvent: 0.031,
  halt: null,
};

function diagonal(deviations: readonly number[]): number[][] {
  return deviations.map((sd, a) => deviations.map((_, b) => (a === b ? sd * sd : 0)));
}
