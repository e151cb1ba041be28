// A result row: our value, a baseline, and whether it passes.

import { median, relativeSpread } from './statistics.ts';

export interface BenchRow {
  name: string;
  ours: number;
  /** The alternative's value, or the limit. */
  baseline: number;
  /** ours / baseline. */
  ratio: number;
  /** Target ratio, as a minimum or maximum. */
  target: number;
  pass: boolean;
  better?: 'more' | 'less';
  /** The baseline is a limit, not a comparison. */
  isLimit?: boolean;
  /** Half the range of the rounds' ratios, relative to their median; absent with one round. */
  spread?: number;
}

/** Passes if `ours` does not exceed `limit`. */
export function limitRow(name: string, ours: number, limit: number, spread?: number): BenchRow {
  return {
    name,
    ours,
    baseline: limit,
    ratio: ours / limit,
    target: 1,
    pass: ours <= limit,
    better: 'less',
    isLimit: true,
    ...(spread === undefined ? {} : { spread }),
  };
}

/** Compares each of our rounds with the adjacent baseline round. */
export function pairedRow(
  name: string,
  ours: readonly number[],
  baseline: readonly number[],
  better: 'more' | 'less',
  target: number,
): BenchRow {
  const ratios = ours.map((value, i) => value / baseline[i]!);
  const ratio = median(ratios);
  return {
    name,
    ours: median(ours),
    baseline: median(baseline),
    ratio,
    target,
    pass: better === 'more' ? ratio >= target : ratio <= target,
    better,
    ...(ratios.length > 1 ? { spread: relativeSpread(ratios) } : {}),
  };
}
