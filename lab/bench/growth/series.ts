// Cost at several sizes, and its growth: the exponent over the last step, because the fixed cost hides growth
// at small sizes.

import { type BenchRow, limitRow } from '../core/row.ts';
import { formatNumber } from '../core/table.ts';

export interface Series {
  /** What grows. */
  of: string;
  what: string;
  sizes: readonly number[];
  costs: readonly number[];
  /** Whether it must be constant, or may be linear. */
  grows: 'not' | 'linearly';
}

/** Measurements are never exactly constant or linear. */
const MOST = { not: 0.1, linearly: 1.1 };

export function measureExponent(sizes: readonly number[], costs: readonly number[]): number {
  const last = (values: readonly number[]) => Math.log(values.at(-1)! / values.at(-2)!);
  return last(costs) / last(sizes);
}

export function seriesRow({ of, what, sizes, costs, grows }: Series): BenchRow {
  const steps = `${costs.map(formatNumber).join(', ')} at ${sizes.map((size) => size.toLocaleString('en-US')).join(', ')}`;
  return limitRow(
    `growth with ${of}: ${what}: ${steps}; exponent`,
    measureExponent(sizes, costs),
    MOST[grows],
  );
}
