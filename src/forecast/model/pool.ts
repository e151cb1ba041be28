// A linear mixture of the members. Weights start from shared values and are updated from the account's own
// past windows by the mixture's log score.

import { MEMBERS } from './member-names.ts';
import { bracketHorizon } from './members.ts';
import type { SharedKnowledge, WeightHours } from './shared-coefficients.ts';

/** Initial weights of every account, in the order of MEMBERS. */
export function sharedWeights({ weights }: SharedKnowledge, hours: WeightHours): Float64Array {
  return Float64Array.from(MEMBERS, (name) => weights[hours][name]);
}

/** How many non-overlapping windows the shared weights are worth. */
const SHARED_WINDOWS = 6;
const ROUNDS = 30;

/**
 * MAP weights by expectation-maximisation. densities[i][k]: density of member k at the outcome of window i,
 * never 0; news[i]: weight of window i.
 */
export function learnWeights(
  shared: Float64Array,
  densities: readonly Float64Array[],
  news: readonly number[],
): Float64Array {
  const total = news.reduce((sum, part) => sum + part, SHARED_WINDOWS);
  let weights = shared;
  for (let round = 0; round < ROUNDS; round++) {
    const next = shared.map((share) => SHARED_WINDOWS * share);
    densities.forEach((given, i) => {
      const mixed = given.reduce((sum, density, k) => sum + weights[k]! * density, 0);
      given.forEach((density, k) => {
        next[k]! += (news[i]! * weights[k]! * density) / mixed;
      });
    });
    weights = next.map((weight) => weight / total);
  }
  return weights;
}

export interface WeightFit {
  hours: WeightHours;
  weights: Float64Array;
  /** How far past outcomes were from the mixture's centre: ln of the RMS miss, shrunk towards 0. */
  miss: number;
}

/** Interpolates the weights for a lead between the fitted horizons. */
export function weightsAt(fits: readonly WeightFit[], leadHours: number): Float64Array {
  const { low, share } = bracketHorizon(fits, leadHours);
  const upper = Math.max(0, share);
  return fits[low]!.weights.map((weight, k) => (1 - upper) * weight + upper * fits[low + 1]!.weights[k]!);
}
