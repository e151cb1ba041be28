// Simulates the core model's rates, path by path and block by block, and a window's expected count on each
// path. Windows and silences that start from the same state differ only in exposure, so the rates (most of
// the work) are computed once.

import { quickExp } from '../numeric/special-functions.ts';
import { type CoreParameters, type CoreState, spreadAhead, unrestAt } from './core-state.ts';
import type { ComingBlocks } from './state-path.ts';
import { type CommonNormals, NORMALS_PER_BLOCK, START_NORMALS } from './state-simulation.ts';

export interface RatePaths {
  /** Number of paths. */
  readonly count: number;
  /** Expected count given each path's rates; one value per path. */
  loads(state: CoreState, parameters: CoreParameters, blocks: ComingBlocks, into?: LoadRoom): Float64Array;
}

export interface LoadRoom {
  loads: Float64Array;
  /** If given, receives each path's cumulative load at the end of each block. */
  running?: Float64Array;
}

/** One block on every path: ln rate without day noise, the factor on the noise, and the full-day rate. */
interface BlockRates {
  logRates: Float64Array;
  moving: Float64Array;
  wholeDay: Float64Array;
}

/** Rate dynamics in a block, given a state. */
interface BlockStep {
  fastKept: number;
  slowKept: number;
  fastSd: number;
  slowSd: number;
  /** Noise of a full day. */
  daySd: number;
}

interface Span {
  from: number;
  to: number;
}

interface Standing {
  state: CoreState;
  parameters: CoreParameters;
}

/** Paths are processed in batches that fit the processor cache. */
const SPAN = 1_024;

/** Caches the rates for the last requested state; buffers are reused. */
export function createRatePaths(normals: CommonNormals): RatePaths {
  const { paths } = normals;
  const fast = new Float64Array(paths);
  const slow = new Float64Array(paths);
  const level = new Float64Array(paths);
  const partOfDay = new Float64Array(paths);
  const known: BlockRates[] = [];
  let steps: BlockStep[] = [];
  let standing: Standing | null = null;

  function begin({ state, parameters }: Standing): void {
    standing = { state, parameters };
    steps = [];
    const { mean, cov } = state;
    const [l11, l21, l31, l22, l32, l33] = factor3(cov);
    const { start } = normals;
    for (let p = 0; p < paths; p++) {
      const a = start[p * START_NORMALS]!;
      const b = start[p * START_NORMALS + 1]!;
      fast[p] = mean[0] + l11 * a;
      slow[p] = mean[1] + l21 * a + l22 * b;
      level[p] = mean[2] + l31 * a + l32 * b + l33 * start[p * START_NORMALS + 2]!;
    }
  }

  /** Advances the paths by one block. */
  function walk(d: number, { from, to }: Span): void {
    const { fastKept, slowKept, fastSd, slowSd, daySd } = steps[d]!;
    const { logRates, moving, wholeDay } = known[d]!;
    const { levelStepSd, unrest } = standing!.parameters;
    const drawn = normals.steps;
    let z = (d * paths + from) * NORMALS_PER_BLOCK;
    for (let p = from; p < to; p++, z += NORMALS_PER_BLOCK) {
      let x1 = fast[p]!;
      let x2 = slow[p]!;
      const factor = unrest === 0 ? 1 : quickExp(unrestAt(unrest, x1 + x2));
      x1 = fastKept * x1 + factor * fastSd * drawn[z]!;
      x2 = slowKept * x2 + factor * slowSd * drawn[z + 1]!;
      const x3 = level[p]! + levelStepSd * drawn[z + 3]!;
      fast[p] = x1;
      slow[p] = x2;
      level[p] = x3;
      logRates[p] = x1 + x2 + x3;
      moving[p] = factor;
      wholeDay[p] = quickExp(x1 + x2 + x3 + factor * daySd * drawn[z + 2]!);
    }
  }

  function ratesOf(d: number, share: number, { from, to }: Span): Float64Array {
    const { logRates, moving, wholeDay } = known[d]!;
    if (share === 1) return wholeDay;
    const noise = steps[d]!.daySd * share ** -0.25;
    for (let p = from; p < to; p++) {
      const z = (d * paths + p) * NORMALS_PER_BLOCK;
      partOfDay[p] = quickExp(logRates[p]! + moving[p]! * noise * normals.steps[z + 2]!);
    }
    return partOfDay;
  }

  function addLoads({ exposures, shares }: ComingBlocks, span: Span, { loads, running }: LoadRoom): void {
    const days = exposures.length;
    for (let d = 0; d < days; d++) {
      const exposure = exposures[d]!;
      if (exposure !== 0) {
        const rates = ratesOf(d, shares[d]!, span);
        for (let p = span.from; p < span.to; p++) loads[p]! += exposure * rates[p]!;
      }
      if (running) for (let p = span.from; p < span.to; p++) running[p * days + d] = loads[p]!;
    }
  }

  return {
    count: paths,
    loads(state, parameters, blocks, out = { loads: new Float64Array(paths) }) {
      if (standing?.state !== state || standing.parameters !== parameters) begin({ state, parameters });
      const walked = steps.length;
      for (let d = walked; d < blocks.exposures.length; d++) {
        known[d] ??= createBlockRates(paths);
        steps[d] = stepOf(state, parameters, d);
      }
      out.loads.fill(0);
      for (let from = 0; from < paths; from += SPAN) {
        const span = { from, to: Math.min(paths, from + SPAN) };
        for (let d = walked; d < steps.length; d++) walk(d, span);
        addLoads(blocks, span, out);
      }
      return out.loads;
    },
  };
}

function stepOf({ spread }: CoreState, parameters: CoreParameters, d: number): BlockStep {
  const fastKept = Math.exp(-1 / parameters.fastDays);
  const slowKept = Math.exp(-1 / parameters.slowDays);
  const widen = Math.sqrt(spreadAhead(spread, d));
  return {
    fastKept,
    slowKept,
    fastSd: parameters.fastSd * Math.sqrt(1 - fastKept * fastKept) * widen,
    slowSd: parameters.slowSd * Math.sqrt(1 - slowKept * slowKept) * widen,
    daySd: parameters.daySd * widen,
  };
}

function createBlockRates(paths: number): BlockRates {
  return {
    logRates: new Float64Array(paths),
    moving: new Float64Array(paths),
    wholeDay: new Float64Array(paths),
  };
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
