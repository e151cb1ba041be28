// Simulated finals for several of an account's windows on common paths. One path is one future, so
// overlapping windows move together. Each window keeps its published distribution; the paths only determine
// ranks.

import { countLeading } from '../../domain/binary-search.ts';
import { createRandom } from '../../runtime/random.ts';
import type { CountDistribution } from '../types.ts';

/** Counting noise: one draw per path, shared by all windows and drawn once per number of paths. */
export function rememberLuck(seed: number): (paths: number) => Float64Array {
  const drawn = new Map<number, Float64Array>();
  return (paths) => {
    const luck = drawn.get(paths) ?? drawLuck(seed, paths);
    drawn.set(paths, luck);
    return luck;
  };
}

function drawLuck(seed: number, paths: number): Float64Array {
  const random = createRandom(seed).fork('joint finals');
  return Float64Array.from({ length: paths }, () => random.normal());
}

/** Ranks paths by noisy load and maps each rank to a quantile of the distribution: the path's final. */
export function rankOntoDistribution(
  loads: Float64Array,
  distribution: CountDistribution,
  luck: Float64Array,
): Int32Array {
  const noisy = new Float64Array(luck.length);
  for (let p = 0; p < luck.length; p++) {
    const load = loads[p % loads.length]!;
    noisy[p] = load + Math.sqrt(load) * luck[p]!;
  }
  const quantiles = spreadOverDistribution(noisy.length, distribution);
  const finals = rank(noisy);
  for (let p = 0; p < finals.length; p++) finals[p] = quantiles[finals[p]!]!;
  return finals;
}

/** Rank of a value: how many values are smaller, or equal and earlier. */
function rank(values: Float64Array): Int32Array {
  const sorted = values.toSorted();
  const before = new Int32Array(values.length);
  const ranks = new Int32Array(values.length);
  for (let p = 0; p < values.length; p++) {
    const first = firstAtLeast(sorted, values[p]!);
    ranks[p] = first + before[first]!++;
  }
  return ranks;
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  return countLeading(sorted.length, (i) => sorted[i]! < value);
}

/** Entry r is the (r + 1/2) / n quantile. */
function spreadOverDistribution(n: number, distribution: CountDistribution): Int32Array {
  const quantiles = new Int32Array(n);
  let x = 0;
  let below = distribution.pmf[0]!;
  for (let at = 0; at < n; at++) {
    const q = (at + 0.5) / n;
    while (below < q && x < distribution.pmf.length - 1) below += distribution.pmf[++x]!;
    quantiles[at] = distribution.from + x;
  }
  return quantiles;
}
