// Position of the median forecast in a bucket: 0 at the edge or outside, 1 at the centre.

import type { BucketRange } from '../../domain/market-event.ts';
import { roundExact } from '../decimal.ts';

/** `standardWidth` serves as the width of the open top bucket. */
export function computeMoneyness(p50: number, range: BucketRange, standardWidth: number): number {
  if (range.hi === null) {
    return roundExact(clipUnit((p50 - range.lo + 0.5) / standardWidth) * (p50 < range.lo ? 0 : 1));
  }
  if (p50 < range.lo || p50 > range.hi) return 0;
  const centre = (range.lo + range.hi) / 2;
  const halfWidth = (range.hi - range.lo + 1) / 2;
  return roundExact(clipUnit(1 - Math.abs(p50 - centre) / halfWidth));
}

/** Median width of the closed buckets; 1 if there are none. */
export function findStandardWidth(ranges: readonly BucketRange[]): number {
  const widths = ranges.flatMap((range) => (range.hi === null ? [] : [range.hi - range.lo + 1]));
  widths.sort((a, b) => a - b);
  return widths[Math.floor(widths.length / 2)] ?? 1;
}

function clipUnit(value: number): number {
  return Math.min(1, Math.max(0, value));
}
