// Paths of one state expert through the coming days, on common random numbers: the same normals at every refresh, so
// that what rests on the paths moves only with news. They order the futures of windows that overlap; laws come from
// exact moments (coming-load.ts).

import { createRandom } from '../../runtime/random.ts';
import { quickExp } from '../numeric/quick-exp.ts';
import type { ComingBlocks } from './coming-load.ts';
import { BURST, type DayNoise, type RateState, type StateSpaceParameters } from './state-space.ts';

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

/** Cholesky factor of a 3x3 covariance given by its upper triangle. */
function factor3(cov: RateState['cov']): [number, number, number, number, number, number] {
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
  state: RateState,
  parameters: StateSpaceParameters,
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
  const { levelStepSd } = parameters;
  const daySd = dayNoiseSd(parameters.noise);
  const noise = shares.map((share) => daySd * share ** -0.25);
  for (let p = 0; p < normals.paths; p++) {
    const a = start[p * 3]!;
    const b = start[p * 3 + 1]!;
    let x1 = state.mean[0] + l11 * a;
    let x2 = state.mean[1] + l21 * a + l22 * b;
    let level = state.mean[2] + l31 * a + l32 * b + l33 * start[p * 3 + 2]!;
    let load = 0;
    let z = p * normals.blocks * NORMALS_PER_BLOCK;
    for (let d = 0; d < exposures.length; d++, z += NORMALS_PER_BLOCK) {
      x1 = f1 * x1 + q1 * steps[z]!;
      x2 = f2 * x2 + q2 * steps[z + 1]!;
      level += levelStepSd * steps[z + 3]!;
      load += exposures[d]! * quickExp(x1 + x2 + level + noise[d]! * steps[z + 2]!);
      if (running) running[p * exposures.length + d] = load;
    }
    out[p] = load;
  }
  return out;
}

/** Standard deviation of a day's own noise on the log scale, bursts among the days. */
function dayNoiseSd(noise: DayNoise): number {
  if (noise.kind === 'gamma') return Math.sqrt(Math.log1p(1 / noise.size));
  return noise.daySd * Math.sqrt(1 + BURST.chance * (BURST.sdFactor ** 2 - 1));
}
