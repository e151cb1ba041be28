// The members of the pool: each turns what is known at an instant into a law of the count still to come.

import { HOUR_MS } from '../../domain/units.ts';
import { trimLaw } from '../law/law.ts';
import { addNegativeBinomial, farQuantile } from '../law/negative-binomial.ts';
import { ORIGIN } from '../rate/origin-features.ts';
import type { CountLaw } from '../types.ts';
import { predictorVariance } from './count-regression.ts';
import type { FittedModel } from './fitted-model.ts';
import { FEATURE_WIDTH, featureWidth, writeHorizonFeatures } from './horizon-features.ts';
import { HOUR_BINS, type HorizonFit, sizeScale } from './horizon-fit.ts';
import { stateLogRate } from './state-path.ts';
import type { RateState } from './state-space.ts';

/** What every member may look at. */
export interface Outlook {
  asofTs: number;
  /** Part of the window still to come: [fromTs, endTs). */
  fromTs: number;
  endTs: number;
  /** Exposure of that part, times the bias correction in force. */
  exposure: number;
  biasFactor: number;
  origin: Float64Array;
  state: RateState;
}

/** A count law with a negative-binomial shape. */
export interface MeanAndSize {
  mean: number;
  size: number;
}

/** Where a horizon lies between two fitted ones: index of the lower and weight of the upper. */
export function bracketHorizon(
  horizons: readonly HorizonFit[],
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

function scaleOf(model: FittedModel, outlook: Outlook): number {
  const hours = (outlook.endTs - outlook.fromTs) / HOUR_MS;
  const { low, share } = bracketHorizon(model.horizons, horizonHours(outlook));
  const nearest = model.horizons[share > 0.5 ? low + 1 : low]!;
  const byHour = hourFactorAt(nearest.hourFactors, outlook.origin[ORIGIN.hourAngle]!);
  return byHour * sizeScale(horizonHours(outlook), outlook.exposure / hours, outlook.state.spread);
}

/** Between the middles of two bins the factor changes gradually. */
function hourFactorAt(factors: Float64Array, angle: number): number {
  const position = (angle / (2 * Math.PI)) * HOUR_BINS - 0.5 + HOUR_BINS;
  const bin = Math.floor(position);
  const share = position - bin;
  return (1 - share) * factors[bin % HOUR_BINS]! + share * factors[(bin + 1) % HOUR_BINS]!;
}

/** The discounted rate at the account's own half-life times exposure, with the width fitted for this horizon. */
export function rateMember(model: FittedModel, outlook: Outlook): MeanAndSize {
  return {
    mean: outlook.exposure * Math.exp(outlook.origin[ORIGIN.ownRate]!),
    size: interpolateSize(model, outlook, (fit) => fit.rateSize),
  };
}

/** The core's median rate times exposure, with a fitted width: stands in for the simulation below a day. */
export function coreMember(model: FittedModel, outlook: Outlook): MeanAndSize {
  const days = horizonHours(outlook) / 24;
  return {
    mean: outlook.exposure * Math.exp(stateLogRate(outlook.state, model.stateSpace, days)),
    size: interpolateSize(model, outlook, (fit) => fit.coreSize),
  };
}

/** Sizes between two fitted horizons are taken on the log scale. */
function interpolateSize(model: FittedModel, outlook: Outlook, pick: (fit: HorizonFit) => number): number {
  const { low, share } = bracketHorizon(model.horizons, horizonHours(outlook));
  const a = Math.log(pick(model.horizons[low]!));
  const b = Math.log(pick(model.horizons[low + 1]!));
  return Math.exp((1 - share) * a + share * b) * scaleOf(model, outlook);
}

const features = new Float64Array(FEATURE_WIDTH);

/** The direct regression, interpolated in ln horizon; doubt about its coefficients widens the law. */
export function regressionMember(model: FittedModel, outlook: Outlook): MeanAndSize {
  const { low, share: raw } = bracketHorizon(model.horizons, horizonHours(outlook));
  const share = Math.max(0, raw);
  const a = predictHorizon(model, model.horizons[low]!, outlook);
  const b = predictHorizon(model, model.horizons[low + 1]!, outlook);
  const variance = (1 - share) * a.variance + share * b.variance;
  const logSize = (1 - raw) * Math.log(a.size) + raw * Math.log(b.size);
  return {
    mean: outlook.exposure * Math.exp((1 - share) * a.logRate + share * b.logRate),
    size: 1 / (Math.exp(-logSize) / scaleOf(model, outlook) + variance),
  };
}

function predictHorizon(model: FittedModel, fit: HorizonFit, outlook: Outlook) {
  const { beta, size, covariance } = fit.regression;
  const blend = writeHorizonFeatures(
    outlook.origin,
    0,
    outlook.state.mean,
    model.stateSpace,
    fit.hours,
    features,
    0,
  );
  let shift = 0;
  const width = featureWidth(fit.hours);
  for (let k = 0; k < width; k++) shift += beta[k]! * features[k]!;
  return {
    logRate: blend + Math.max(-3, Math.min(3, shift)),
    variance: predictorVariance(covariance, features, width),
    size,
  };
}

/** Half the mass at the fitted size, a quarter each at 0.6 and 1.6 of it: doubt about the width itself. */
const SIZE_DOUBT: readonly [number, number][] = [
  [0.62, 0.25],
  [1, 0.5],
  [1.6, 0.25],
];

export function lawOf({ mean, size }: MeanAndSize): CountLaw {
  const pmf = new Float64Array(farQuantile(mean, size * 0.62) + 1);
  for (const [factor, weight] of SIZE_DOUBT) addNegativeBinomial(pmf, mean, size * factor, weight);
  return trimLaw(0, pmf);
}
