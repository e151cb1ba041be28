// Cost at several sizes and its growth exponent over the last step, because fixed costs hide growth at small
// sizes.

import { type BenchRow, limitRow } from '../core/row.ts';
import { formatNumber } from '../core/table.ts';

export interface Series {
  /** The quantity that grows. */
  of: string;
  what: string;
  sizes: readonly number[];
  costs: readonly number[];
  /** Whether the cost must be constant or may be linear. */
  grows: 'not' | 'linearly';
}

/** Allows for noise: measurements are never exactly constant or linear. */
const MOST = { not: 0.1, linearly: 1.1 };

export function measureExponent(sizes: readonly number[], costs: readonly number[]): number {
  const last = (values: readonly number[]) => Math.log(values.at(-1)! / values.at(-2)!);
  return last(costs) / last(sizes);
}

export function seriesRow({ of, what, sizes, costs, grows }: Series): BenchRow {
  const steps = `${costs.map(formatNumber).join('/')} at ${sizes.map((size) => size.toLocaleString('en-US')).join('/')}`;
  return limitRow(`growth, ${of}: ${what}: ${steps}`, measureExponent(sizes, costs), MOST[grows]);
}
