// The conjugate pair behind the discounted rates: Gamma rate, Poisson counts, negative-binomial predictions.

import type { MeanAndSize } from '../model/members.ts';

export interface GammaRate {
  shape: number;
  rate: number;
}

export function updateGamma(prior: GammaRate, count: number, exposure: number): GammaRate {
  return { shape: prior.shape + count, rate: prior.rate + exposure };
}

/** Law of the count over a coming exposure. */
export function predictCount({ shape, rate }: GammaRate, exposure: number): MeanAndSize {
  return { mean: (shape / rate) * exposure, size: shape };
}
