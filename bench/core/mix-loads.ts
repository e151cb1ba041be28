// What follows a simulation in the benches: loads sorted, thinned to even quantiles and mixed with counting noise.

import { trimLaw } from '../../src/forecast/law/law.ts';
import { addNegativeBinomial, farQuantile } from '../../src/forecast/law/negative-binomial.ts';
import { KERNEL_SIZE } from '../../src/forecast/model/coming-load.ts';
import type { CountLaw } from '../../src/forecast/types.ts';

export function mixLoads(loads: Float64Array, quantiles = 160): CountLaw {
  const sorted = Float64Array.from(loads).sort();
  const centres = thin(sorted, Math.min(quantiles, sorted.length));
  const largest = centres[centres.length - 1]!;
  const pmf = new Float64Array(farQuantile(largest, KERNEL_SIZE) + 1);
  for (const load of centres) addNegativeBinomial(pmf, load, KERNEL_SIZE, 1 / centres.length);
  return trimLaw(0, pmf);
}

/** Means of consecutive equal groups: keeps the overall mean exactly. */
function thin(sorted: Float64Array, groups: number): Float64Array {
  const centres = new Float64Array(groups);
  for (let g = 0; g < groups; g++) {
    const from = Math.floor((g * sorted.length) / groups);
    const to = Math.floor(((g + 1) * sorted.length) / groups);
    for (let i = from; i < to; i++) centres[g]! += sorted[i]! / (to - from);
  }
  return centres;
}
