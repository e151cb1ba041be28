// Past windows of one length as a regression sample: the data known at each origin, and the outcome.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { ORIGIN } from '../rate/origin-features.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';
import type { CountSample } from './count-regression.ts';
import { listRows, ORIGIN_STEP_HOURS, type TrainingSet } from './training-set.ts';

/** Data for past windows: the posts up to asofTs. */
export interface PastSource {
  set: TrainingSet;
  counted: SortedTimes;
  exposure: ExposureClock;
  asofTs: number;
}

/** One kind of regression, defined by its features and its baseline. */
export interface SampleRule {
  width: number;
  write(origins: Float64Array, from: number, out: Float64Array, at: number): void;
  /** ln of the expected count before the regression adjusts it. */
  offset(row: number, fromTs: number, endTs: number): number;
}

export interface SamplePlan {
  hours: number;
  /** Uses every n-th origin. */
  stride: number;
  days: number;
}

const HALF_LIFE_DAYS = 120;

/** Quiet hours are more erratic, because sleep times vary. */
export function quietScale(relativeExposure: number): number {
  return Math.max(0.1, Math.min(3, relativeExposure));
}

/** Longer windows are relatively steadier, but only slightly. */
export function priorSize(hours: number): number {
  return 3.7 * (hours / 24) ** (hours < 24 ? 0.78 : 0.35);
}

export interface PastSample extends CountSample {
  rows: readonly number[];
}

export function samplePast(
  { set, counted, exposure, asofTs }: PastSource,
  { hours, stride, days }: SamplePlan,
  rule: SampleRule,
): PastSample {
  const spanMs = hours * HOUR_MS;
  const rows = listRows(set, stride, asofTs - spanMs, days);
  const overlap = Math.min(1, (ORIGIN_STEP_HOURS * stride) / hours);
  const starts = rows.map((row) => set.originTs[row]!);
  const features = new Float64Array(rows.length * rule.width);
  rows.forEach((row, i) => {
    rule.write(set.origins, row * ORIGIN.width, features, i * rule.width);
  });
  return {
    rows,
    features,
    width: rule.width,
    counts: Float64Array.from(starts, (ts) => counted.countSince(ts, ts + spanMs)),
    offsets: Float64Array.from(rows, (row, i) => rule.offset(row, starts[i]!, starts[i]! + spanMs)),
    scales: Float64Array.from(starts, (ts) => quietScale(exposure.between(ts, ts + spanMs) / hours)),
    weights: Float64Array.from(
      starts,
      (ts) => overlap * 2 ** ((ts + spanMs - asofTs) / (HALF_LIFE_DAYS * DAY_MS)),
    ),
  };
}
