// Common random numbers for the core model's remaining total: every refresh uses the same normals, so
// published percentiles move only with new data. Counting noise is integrated exactly, not drawn.

import { createRandom } from '../../runtime/random.ts';
import { trimDistribution } from '../distribution/distribution.ts';
import { addNegativeBinomials, farQuantile } from '../distribution/negative-binomial.ts';
import type { CountDistribution } from '../types.ts';
import { COUNTING_SIZE } from './state-path.ts';

const MAX_BLOCKS = 64;
export const START_NORMALS = 3;
export const NORMALS_PER_BLOCK = 4;

/** Normals for paths x blocks, drawn once per forecaster; the second half mirrors the first (antithetic). */
export interface CommonNormals {
  paths: number;
  /** Maximum number of blocks per path. */
  blocks: number;
  /** Ordered by path. */
  start: Float64Array;
  /** Ordered by block, then by path. */
  steps: Float64Array;
}

export function drawCommonNormals(seed: number, paths: number, blocks = MAX_BLOCKS): CommonNormals {
  const random = createRandom(seed).fork('common normals');
  const half = paths / 2;
  const start = new Float64Array(paths * START_NORMALS);
  for (let i = 0; i < half * START_NORMALS; i++) {
    start[i] = random.normal();
    start[half * START_NORMALS + i] = -start[i]!;
  }
  // Drawn by path but stored by block, which is the order of use.
  const steps = new Float64Array(paths * blocks * NORMALS_PER_BLOCK);
  for (let p = 0; p < half; p++) {
    for (let d = 0; d < blocks; d++) {
      for (let k = 0; k < NORMALS_PER_BLOCK; k++) {
        const at = (d * paths + p) * NORMALS_PER_BLOCK + k;
        steps[at] = random.normal();
        steps[at + half * NORMALS_PER_BLOCK] = -steps[at]!;
      }
    }
  }
  return { paths, blocks, start, steps };
}

let drawn: { seed: number; normals: CommonNormals } | null = null;

/** The draw is immutable, so forecasters with the same seed share it across accounts and reloads. */
export function shareCommonNormals(seed: number, paths: number): CommonNormals {
  if (drawn?.seed !== seed || drawn.normals.paths !== paths)
    drawn = { seed, normals: drawCommonNormals(seed, paths) };
  return drawn.normals;
}

/** Mixes the counting kernel over the loads, reduced to evenly spaced, equally weighted quantiles. */
export function mixLoads(loads: Float64Array, quantiles = 96, kernelSize = COUNTING_SIZE): CountDistribution {
  const sorted = loads.toSorted();
  const centres = thin(sorted, Math.min(quantiles, sorted.length));
  const largest = centres[centres.length - 1]!;
  const pmf = new Float64Array(farQuantile(largest, kernelSize) + 1);
  addNegativeBinomials(pmf, centres, kernelSize, new Float64Array(centres.length).fill(1 / centres.length));
  return trimDistribution(0, pmf);
}

/** Means of consecutive groups of equal size, which preserve the overall mean exactly. */
function thin(sorted: Float64Array, groups: number): Float64Array {
  const centres = new Float64Array(groups);
  for (let g = 0; g < groups; g++) {
    const from = Math.floor((g * sorted.length) / groups);
    const to = Math.floor(((g + 1) * sorted.length) / groups);
    for (let i = from; i < to; i++) centres[g]! += sorted[i]! / (to - from);
  }
  return centres;
}
