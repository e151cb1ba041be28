// Bucket ladders; widths differ by family, by account and within an event.

import type { BucketRange } from '../src/domain/market-event.ts';

export interface LabelledRange extends BucketRange {
  label: string;
}

/** Widths between bounds: [[40, 25], [240]] means 25 wide from 40 to 240. */
function ladder(
  steps: readonly (readonly [from: number, width: number])[],
  top: number,
  dash = '-',
): LabelledRange[] {
  const ranges: LabelledRange[] = [{ label: `<${steps[0]![0]}`, lo: 0, hi: steps[0]![0] - 1 }];
  for (const [i, [from, width]] of steps.entries()) {
    const until = steps[i + 1]?.[0] ?? top;
    for (let lo = from; lo < until; lo += width) {
      ranges.push({ label: `${lo}${dash}${lo + width - 1}`, lo, hi: lo + width - 1 });
    }
  }
  ranges.push({ label: `${top.toLocaleString('en-US', { useGrouping: dash !== '-' })}+`, lo: top, hi: null });
  return ranges;
}

/** <40, 40-64 ... 215-239, 240+ */
const BUSY_TWO_DAYS = ladder([[40, 25]], 240);
/** <20, 20-39 ... 480-499, 500+ */
const BUSY_WEEK = ladder([[20, 20]], 500);
/** 46 buckets, 20 wide and then 40. */
const BUSY_MONTH = ladder(
  [
    [20, 20],
    [800, 40],
  ],
  1000,
);
/** 66 buckets, for a month with more than a thousand expected posts. */
const VERY_BUSY_MONTH = ladder(
  [
    [20, 20],
    [600, 40],
  ],
  2000,
);
const CALM_TWO_DAYS = ladder([[10, 10]], 90);
/** 11 buckets, top 200+. */
const CALM_WEEK = ladder([[20, 20]], 200);
/** With en dash and thousands separator, as in some months. */
const CALM_MONTH = ladder([[200, 50]], 1000, '–');

export type CountFamily = '2d' | '7d' | 'month';

export function ladderFor(isBusy: boolean, family: CountFamily, expectedCount: number): LabelledRange[] {
  if (family === '2d') return isBusy ? BUSY_TWO_DAYS : CALM_TWO_DAYS;
  if (family === '7d') return isBusy ? BUSY_WEEK : CALM_WEEK;
  if (!isBusy) return CALM_MONTH;
  return expectedCount > 850 ? VERY_BUSY_MONTH : BUSY_MONTH;
}

/** Strikes of an add-on event above the main ladder's top. */
export const ADD_ON_WEEK: LabelledRange[] = ladder([[500, 20]], 600).slice(1);
