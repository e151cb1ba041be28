// Narrows or widens a distribution around its median on the log scale, so that nothing falls below zero.

import { quickExp } from '../numeric/quick-exp.ts';
import type { CountDistribution } from '../types.ts';
import { trimDistribution } from './distribution.ts';

/** Factor 1 changes nothing; 0.8 shrinks every quantile's log distance from the median by a fifth. */
export function stretchDistribution(distribution: CountDistribution, factor: number): CountDistribution {
  if (factor === 1 || distribution.pmf.length < 2) return distribution;
  const below = cumulate(distribution.pmf);
  const middle = Math.log(medianOf(distribution.from, below) + 1);
  const from = Math.max(0, Math.floor(moveEdge(distribution.from - 0.5, middle, factor)));
  const to = Math.ceil(moveEdge(distribution.from + distribution.pmf.length - 0.5, middle, factor));
  const pmf = new Float64Array(Math.max(1, to - from + 1));
  let before = 0;
  for (let k = 0; k < pmf.length; k++) {
    const edge = quickExp(middle + (Math.log(from + k + 0.5 + 1) - middle) / factor) - 1;
    const upTo = massBelow(below, edge - distribution.from + 0.5);
    pmf[k] = upTo - before;
    before = upTo;
  }
  return trimDistribution(from, pmf);
}

function moveEdge(edge: number, middle: number, factor: number): number {
  return Math.exp(middle + (Math.log(edge + 1) - middle) * factor) - 1;
}

/** Entry k is the mass below bin edge k; bin k is the count `from + k`, spread over one unit. */
function cumulate(pmf: Float64Array): Float64Array {
  const below = new Float64Array(pmf.length + 1);
  for (let k = 0; k < pmf.length; k++) below[k + 1] = below[k]! + pmf[k]!;
  return below;
}

function massBelow(below: Float64Array, edge: number): number {
  const last = below.length - 1;
  if (edge <= 0) return 0;
  if (edge >= last) return below[last]!;
  const k = Math.floor(edge);
  return below[k]! + (edge - k) * (below[k + 1]! - below[k]!);
}

function medianOf(from: number, below: Float64Array): number {
  let k = 0;
  while (below[k + 1]! < 0.5) k += 1;
  return from - 0.5 + k + (0.5 - below[k]!) / (below[k + 1]! - below[k]!);
}
