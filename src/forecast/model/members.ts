// The members of the pool: each turns what is known at an instant into a distribution of the count still to come.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { certainDistribution, trimDistribution } from '../distribution/distribution.ts';
import { addNegativeBinomial, addNegativeBinomials, farQuantile } from '../distribution/negative-binomial.ts';
import { ORIGIN } from '../rate/origin-features.ts';
import type { CountDistribution } from '../types.ts';
import type { BankFit } from './bank-fit.ts';
import type { CoreState } from './core-state.ts';
import { predictorVariance } from './count-regression.ts';
import { createWords, type ExpertWords, mixedMean, writeWords } from './expert-words.ts';
import { STATE_EXPERTS } from './experts.ts';
import type { FittedModel } from './fitted-model.ts';
import { shareOfDays } from './pool.ts';
import { SESSION_WIDTH, writeSessionFeatures } from './session-features.ts';
import { HOUR_BINS, quietScale, type SessionFit } from './session-fit.ts';
import { cutComingBlocks } from './state-path.ts';
import type { RateState } from './state-space.ts';

/** The account as it stands at an instant: shared by all its windows. */
export interface Standing {
  asofTs: number;
  origin: Float64Array;
  core: CoreState;
  states: readonly RateState[];
  /** ln of the bank's rate for the coming day: where the session and the plain rate start from. */
  dayLogRate: number;
}

/** What every member may look at. */
export interface Outlook extends Standing {
  /** Part of the window still to come: [fromTs, endTs). */
  fromTs: number;
  endTs: number;
  /** Multiplies every mean; 1 is what the model believes. */
  paceFactor: number;
}

/** A count distribution with a negative-binomial shape. */
export interface MeanAndSize {
  mean: number;
  size: number;
}

/** Where a horizon lies between two fitted ones: index of the lower and weight of the upper, in ln horizon. */
export function bracketHorizon(
  horizons: readonly { hours: number }[],
  hours: number,
): { low: number; share: number } {
  let low = 0;
  while (low < horizons.length - 2 && horizons[low + 1]!.hours <= hours) low += 1;
  const a = Math.log(horizons[low]!.hours);
  const b = Math.log(horizons[low + 1]!.hours);
  return { low, share: Math.max(-1, Math.min(1, (Math.log(Math.max(0.1, hours)) - a) / (b - a))) };
}

function horizonHours(outlook: Outlook): number {
  return (outlook.endTs - outlook.asofTs) / HOUR_MS;
}

/** The bank's two halves, as one distribution each, and how much of its belief each has. */
export interface BankDistributions {
  states: CountDistribution;
  rates: CountDistribution;
  stateShare: number;
}

export function bankDistributions(model: FittedModel, outlook: Outlook): BankDistributions {
  const words = speakAhead(model, outlook, outlook.fromTs, outlook.endTs);
  const weights = beliefAt(model.bank, outlook);
  for (let k = 0; k < weights.length; k++) words.means[k]! *= outlook.paceFactor;
  const split = STATE_EXPERTS.length;
  const stateShare = weights.subarray(0, split).reduce((sum, weight) => sum + weight, 0);
  return {
    states: mixExperts(words, weights, 0, split),
    rates: mixExperts(words, weights, split, weights.length),
    stateShare,
  };
}

function speakAhead(model: FittedModel, standing: Seen, fromTs: number, endTs: number): ExpertWords {
  const words = createWords();
  const blocks = cutComingBlocks(model.exposure, standing.asofTs, fromTs, endTs);
  writeWords(words, 0, standing.states, blocks, standing.origin, 0);
  return words;
}

/** Belief in the experts between the horizons at which it was learned. */
function beliefAt(bank: readonly BankFit[], outlook: Outlook): Float64Array {
  const { low, share: raw } = bracketHorizon(bank, horizonHours(outlook));
  const share = Math.max(0, raw);
  const next = bank[low + 1]!.weights;
  return bank[low]!.weights.map((weight, k) => (1 - share) * weight + share * next[k]!);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}

/** Steps of the grid on which a log-normal load is laid out, in standard deviations. */
const LOAD_STEP = 0.5;
const LOAD_REACH = 8;
const LOAD_POINTS = 2 * LOAD_REACH + 1;
const LOAD_SHARES = Float64Array.from({ length: LOAD_POINTS }, (_, i) => {
  const z = loadZ(i);
  return LOAD_STEP * Math.exp(-0.5 * z * z) * Math.SQRT1_2 * (1 / Math.sqrt(Math.PI));
});
const loadMeans = new Float64Array(LOAD_POINTS);
const loadWeights = new Float64Array(LOAD_POINTS);

function loadZ(i: number): number {
  return (i - LOAD_REACH) * LOAD_STEP;
}

/** An expert believed less than this part of the best believed one is not asked. */
const LEAST_SAY = 5e-3;

/** Mixture of the experts from .. to - 1, by their weights among themselves: however little the half is believed, it has a distribution. */
function mixExperts(
  { means, logVariances, sizes }: ExpertWords,
  beliefs: Float64Array,
  from: number,
  to: number,
): CountDistribution {
  let far = 0;
  const best = Math.max(...beliefs.subarray(from, to));
  const weights = beliefs.map((belief) => (best > 0 ? belief / best : 1));
  for (let k = from; k < to; k++) {
    if (means[k] === 0) return certainDistribution(0);
    if (weights[k]! < LEAST_SAY) continue;
    const sd = Math.sqrt(logVariances[k]!);
    far = Math.max(far, farQuantile(means[k]! * Math.exp(LOAD_STEP * LOAD_REACH * sd), sizes[k]!));
  }
  const pmf = new Float64Array(far + 1);
  for (let k = from; k < to; k++) {
    if (weights[k]! >= LEAST_SAY) addLoad(pmf, means[k]!, logVariances[k]!, sizes[k]!, weights[k]!);
  }
  return trimDistribution(0, pmf);
}

function addLoad(pmf: Float64Array, mean: number, logVariance: number, size: number, weight: number): void {
  if (logVariance < 1e-9) {
    addNegativeBinomial(pmf, mean, size, weight);
    return;
  }
  const sd = Math.sqrt(logVariance);
  const middle = Math.log(mean) - logVariance / 2;
  for (let i = 0; i < LOAD_POINTS; i++) {
    loadMeans[i] = Math.exp(middle + sd * loadZ(i));
    loadWeights[i] = weight * LOAD_SHARES[i]!;
  }
  addNegativeBinomials(pmf, loadMeans, size, loadWeights);
}

type Seen = Pick<Standing, 'asofTs' | 'states' | 'origin'>;

export function findDayLogRate(model: FittedModel, seen: Seen): number {
  const endTs = seen.asofTs + DAY_MS;
  const words = speakAhead(model, seen, seen.asofTs, endTs);
  const mean = Math.max(1e-4, mixedMean(words, 0, model.bank[0]!.weights));
  return Math.log(mean / model.exposure.between(seen.asofTs, endTs));
}

const sessionFeatures = new Float64Array(SESSION_WIDTH);

/** The session regression, interpolated in ln horizon; doubt about coefficients widens the distribution. */
export function sessionMember(model: FittedModel, outlook: Outlook): MeanAndSize {
  const { low, share: raw } = bracketHorizon(model.sessions, horizonHours(outlook));
  const share = Math.max(0, raw);
  const a = model.sessions[low]!;
  const b = model.sessions[low + 1]!;
  writeSessionFeatures(outlook.origin, 0, sessionFeatures, 0);
  const exposure = model.exposure.between(outlook.fromTs, outlook.endTs);
  const shift = (1 - share) * moveOf(a) + share * moveOf(b);
  const doubt = (1 - share) * doubtOf(a) + share * doubtOf(b);
  const size = scaleOf(model, outlook, exposure) * blendLog(a.regression.size, b.regression.size, raw);
  return {
    mean: exposure * Math.exp(outlook.dayLogRate + shift) * outlook.paceFactor,
    size: 1 / (1 / size + doubt),
  };
}

/** The rate as it stands, carried on unchanged, with the width that has had at this horizon. */
export function steadyMember(model: FittedModel, outlook: Outlook): MeanAndSize {
  const { low, share } = bracketHorizon(model.steady, horizonHours(outlook));
  const exposure = model.exposure.between(outlook.fromTs, outlook.endTs);
  const size = blendLog(model.steady[low]!.size, model.steady[low + 1]!.size, share);
  return {
    mean: exposure * Math.exp(outlook.dayLogRate) * outlook.paceFactor,
    size: size * scaleOf(model, outlook, exposure),
  };
}

/**
 * How much narrower or wider than the pool itself its distribution should be. The coming hours have their own width already; and
 * an account that has lately surprised is not spoken of more narrowly.
 */
export function widthAt(model: FittedModel, { core, asofTs, endTs }: Outlook): number {
  const hours = (endTs - asofTs) / HOUR_MS;
  const { low, share } = bracketHorizon(model.widths, hours);
  const factor = blendLog(model.widths[low]!.factor, model.widths[low + 1]!.factor, Math.max(0, share));
  const calm = factor < 1 ? Math.max(0, Math.min(1, 2 - core.spread)) : 1;
  return factor ** (calm * shareOfDays(hours));
}

function moveOf({ regression }: SessionFit): number {
  return Math.max(-3, Math.min(3, dot(regression.beta, sessionFeatures)));
}

function doubtOf({ regression }: SessionFit): number {
  return predictorVariance(regression.covariance, sessionFeatures, SESSION_WIDTH);
}

function blendLog(a: number, b: number, share: number): number {
  return Math.exp((1 - share) * Math.log(a) + share * Math.log(b));
}

/** From a day on every hour of the day is in the window: only quiet weekdays make a difference there. */
function scaleOf(model: FittedModel, outlook: Outlook, exposure: number): number {
  const hours = (outlook.endTs - outlook.fromTs) / HOUR_MS;
  const { low, share } = bracketHorizon(model.sessions, horizonHours(outlook));
  const { hourFactors } = model.sessions[share > 0.5 ? low + 1 : low]!;
  const byHour =
    horizonHours(outlook) > 36 ? 1 : hourFactorAt(hourFactors, outlook.origin[ORIGIN.hourAngle]!);
  return byHour * quietScale(exposure / hours);
}

/** Between the middles of two bins the factor changes gradually. */
function hourFactorAt(factors: Float64Array, angle: number): number {
  const position = (angle / (2 * Math.PI)) * HOUR_BINS - 0.5 + HOUR_BINS;
  const bin = Math.floor(position);
  const share = position - bin;
  return (1 - share) * factors[bin % HOUR_BINS]! + share * factors[(bin + 1) % HOUR_BINS]!;
}

/** Half the mass at the fitted size, a quarter each at 0.6 and 1.6 of it: doubt about the width itself. */
const SIZE_DOUBT: readonly [number, number][] = [
  [0.62, 0.25],
  [1, 0.5],
  [1.6, 0.25],
];

export function distributionOf({ mean, size }: MeanAndSize): CountDistribution {
  const pmf = new Float64Array(farQuantile(mean, size * 0.62) + 1);
  for (const [factor, weight] of SIZE_DOUBT) addNegativeBinomial(pmf, mean, size * factor, weight);
  return trimDistribution(0, pmf);
}
