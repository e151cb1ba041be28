// What every expert of the bank says of one window, side by side in flat arrays.

import { ORIGIN } from '../rate/origin-features.ts';
import { type ComingBlocks, comingLoad } from './coming-load.ts';
import { EXPERT_COUNT, RATE_EXPERTS, STATE_EXPERTS } from './experts.ts';
import type { RateState } from './state-space.ts';

export interface ExpertWords {
  means: Float64Array;
  logVariances: Float64Array;
  sizes: Float64Array;
}

export function createWords(rows = 1): ExpertWords {
  const length = rows * EXPERT_COUNT;
  return {
    means: new Float64Array(length),
    logVariances: new Float64Array(length),
    sizes: new Float64Array(length),
  };
}

/** Writes the bank's words at row; states are those of STATE_EXPERTS, in order. */
export function writeWords(
  out: ExpertWords,
  row: number,
  states: readonly RateState[],
  blocks: ComingBlocks,
  origin: Float64Array,
  originAt: number,
): void {
  const at = row * EXPERT_COUNT;
  let exposure = 0;
  for (const part of blocks.exposures) exposure += part;
  STATE_EXPERTS.forEach((expert, k) => {
    const { mean, logVariance, size } = comingLoad(states[k]!, expert, blocks);
    out.means[at + k] = mean;
    out.logVariances[at + k] = logVariance;
    out.sizes[at + k] = size;
  });
  RATE_EXPERTS.forEach(({ position, size }, k) => {
    const i = at + STATE_EXPERTS.length + k;
    out.means[i] = exposure * Math.exp(origin[originAt + ORIGIN.counted + position]!);
    out.logVariances[i] = 0;
    out.sizes[i] = size;
  });
}

/** Mean of the bank's mixture at row. */
export function mixedMean({ means }: ExpertWords, row: number, weights: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < EXPERT_COUNT; k++) sum += weights[k]! * means[row * EXPERT_COUNT + k]!;
  return sum;
}
