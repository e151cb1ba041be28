// What something costs at several sizes, and how fast that grows: the exponent over the last step, because what is there at
// any size hides growth from the first ones.

import { type BenchRow, limitRow } from '../core/row.ts';
import { formatNumber } from '../core/table.ts';

export interface Series {
  /** What is made larger. */
  of: string;
  what: string;
  sizes: readonly number[];
  costs: readonly number[];
  /** Whether it must not grow at all, or may grow in proportion. */
  grows: 'not' | 'linearly';
}

/** Nothing can be measured to be quite flat, nor quite linear. */
const MOST = { not: 0.1, linearly: 1.1 };

export function measureExponent(sizes: readonly number[], costs: readonly number[]): number {
  const last = (values: readonly number[]) => Math.log(values.at(-1)! / values.at(-2)!);
  return last(costs) / last(sizes);
}

export function seriesRow({ of, what, sizes, costs, grows }: Series): BenchRow {
  const steps = sizes.map((size, i) => `${formatNumber(costs[i]!)} at ${formatNumber(size)}`);
  return limitRow(
    `growth with ${of}: ${what} (${steps.join(', ')}), exponent`,
    measureExponent(sizes, costs),
    MOST[grows],
  );
}
