// Simulates the coming total of the core model on common random numbers: the same normals at every refresh, so
// that published percentiles move only with news. The counting noise is integrated out exactly, not drawn.

import { createRandom } from '../../runtime/random.ts';
import { trimLaw } from '../law/law.ts';
import { addNegativeBinomial, farQuantile } from '../law/negative-binomial.ts';
import { quickExp } from '../numeric/quick-exp.ts';
import type { CountLaw } from '../types.ts';
import { type ComingBlocks, KERNEL_SIZE } from './coming-load.ts';
import { type CoreParameters, type CoreState, spreadAhead, unrestAt } from './core-state.ts';

const MAX_BLOCKS = 64;
const NORMALS_PER_BLOCK = 4;

/** Normals for paths x blocks, drawn once per forecaster; the second half mirrors the first (antithetic). */
export interface CommonNormals {
  paths: number;
  /** Blocks that a path can cover. */
  blocks: number;
  start: Float64Array;
  steps: Float64Array;
}

export function drawCommonNormals(seed: number, paths: number, blocks = MAX_BLOCKS): CommonNormals {
  const random = createRandom(seed).fork('common normals');
  const half = paths / 2;
  const start = new Float64Array(paths * 3);
  const steps = new Float64Array(paths * blocks * NORMALS_PER_BLOCK);
  for (const values of [start, steps]) {
    const width = values.length / paths;
    for (let i = 0; i < half * width; i++) {
      values[i] = random.normal();
      values[half * width + i] = -values[i]!;
    }
  }
  return { paths, blocks, start, steps };
}

let drawn: { seed: number; normals: CommonNormals } | null = null;

/** Nobody changes them, so forecasters of one seed share what is drawn once: all accounts, and the same after every reload. */
export function shareCommonNormals(seed: number, paths: number): CommonNormals {
  if (drawn?.seed !== seed || drawn.normals.paths !== paths)
    drawn = { seed, normals: drawCommonNormals(seed, paths) };
  return drawn.normals;
}

/** Cholesky factor of a 3x3 covariance given by its upper triangle. */
function factor3(cov: CoreState['cov']): [number, number, number, number, number, number] {
  const [p11, p12, p13, p22, p23, p33] = cov;
  const l11 = Math.sqrt(Math.max(p11, 1e-12));
  const l21 = p12 / l11;
  const l31 = p13 / l11;
  const l22 = Math.sqrt(Math.max(p22 - l21 * l21, 1e-12));
  const l32 = (p23 - l31 * l21) / l22;
  return [l11, l21, l31, l22, l32, Math.sqrt(Math.max(p33 - l31 * l31 - l32 * l32, 1e-12))];
}

/** Expected count given each path's rates; one value per path. */
export function simulateLoads(
  state: CoreState,
  parameters: CoreParameters,
  blocks: ComingBlocks,
  normals: CommonNormals,
  out: Float64Array = new Float64Array(normals.paths),
  /** Where given, it gets the load of each path up to the end of each block. */
  running?: Float64Array,
): Float64Array {
  const f1 = Math.exp(-1 / parameters.fastDays);
  const f2 = Math.exp(-1 / parameters.slowDays);
  const q1 = parameters.fastSd * Math.sqrt(1 - f1 * f1);
  const q2 = parameters.slowSd * Math.sqrt(1 - f2 * f2);
  const [l11, l21, l31, l22, l32, l33] = factor3(state.cov);
  const { exposures, shares } = blocks;
  const { start, steps } = normals;
  const { levelStepSd, unrest } = parameters;
  const widening = exposures.map((_, d) => Math.sqrt(spreadAhead(state.spread, d)));
  const fastSteps = widening.map((widen) => q1 * widen);
  const slowSteps = widening.map((widen) => q2 * widen);
  const noise = widening.map((widen, d) => parameters.daySd * widen * shares[d]! ** -0.25);
  for (let p = 0; p < normals.paths; p++) {
    const a = start[p * 3]!;
    const b = start[p * 3 + 1]!;
    let x1 = state.mean[0] + l11 * a;
    let x2 = state.mean[1] + l21 * a + l22 * b;
    let level = state.mean[2] + l31 * a + l32 * b + l33 * start[p * 3 + 2]!;
    let load = 0;
    let z = p * normals.blocks * NORMALS_PER_BLOCK;
    for (let d = 0; d < exposures.length; d++, z += NORMALS_PER_BLOCK) {
      const moving = unrest === 0 ? 1 : quickExp(unrestAt(unrest, x1 + x2));
      x1 = f1 * x1 + moving * fastSteps[d]! * steps[z]!;
      x2 = f2 * x2 + moving * slowSteps[d]! * steps[z + 1]!;
      level += levelStepSd * steps[z + 3]!;
      load += exposures[d]! * quickExp(x1 + x2 + level + moving * noise[d]! * steps[z + 2]!);
      if (running) running[p * exposures.length + d] = load;
    }
    out[p] = load;
  }
  return out;
}

/** Mixes the counting kernel over the loads, thinned to evenly spaced quantiles of equal weight. */
export function mixLoads(loads: Float64Array, quantiles = 96, kernelSize = KERNEL_SIZE): CountLaw {
  const sorted = Float64Array.from(loads).sort();
  const centres = thin(sorted, Math.min(quantiles, sorted.length));
  const largest = centres[centres.length - 1]!;
  const pmf = new Float64Array(farQuantile(largest, kernelSize) + 1);
  for (const load of centres) addNegativeBinomial(pmf, load, kernelSize, 1 / centres.length);
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
