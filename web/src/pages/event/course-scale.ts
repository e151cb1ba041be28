// Geometry of the event chart: time across, counts above, prices below. Pure.

import type { CoursePoint } from '../../api/records.ts';

export interface Frame {
  width: number;
  countTop: number;
  countBottom: number;
  priceTop: number;
  priceBottom: number;
  left: number;
  right: number;
}

export interface CourseScale {
  xOf(ts: number): number;
  tsAt(x: number): number;
  countY(count: number): number;
  priceY(price: number): number;
  countMax: number;
}

export interface Window {
  start_ts: number;
  end_ts: number;
}

const MIN_TOP = 10;

export function createScale(
  { start_ts, end_ts }: Window,
  points: readonly CoursePoint[],
  finalCount: number | null,
  frame: Frame,
): CourseScale {
  const span = Math.max(1, end_ts - start_ts);
  const inner = frame.width - frame.left - frame.right;
  const counts = points.flatMap((point) => [point.real_counter, point.forecast?.p95 ?? 0]);
  const countMax = Math.max(MIN_TOP, finalCount ?? 0, ...counts) * 1.05;
  return {
    xOf: (ts) => frame.left + ((ts - start_ts) / span) * inner,
    tsAt: (x) => start_ts + ((x - frame.left) / inner) * span,
    countY: (count) => frame.countBottom - (count / countMax) * (frame.countBottom - frame.countTop),
    priceY: (price) => frame.priceBottom - price * (frame.priceBottom - frame.priceTop),
    countMax,
  };
}

/** Joins points with straight lines. A missing value starts a new segment; a single value becomes a dot. */
export function drawLine(
  points: readonly CoursePoint[],
  scale: CourseScale,
  read: (point: CoursePoint) => number | null | undefined,
  yOf: (value: number) => number,
): string {
  let isDown = false;
  return points
    .map((point) => {
      const value = read(point);
      if (value === null || value === undefined) {
        isDown = false;
        return '';
      }
      const place = `${round(scale.xOf(point.timestamp))} ${round(yOf(value))}`;
      const step = isDown ? `L${place}` : `M${place}h0`;
      isDown = true;
      return step;
    })
    .join('');
}

/** Outlines the forecast from p5 to p95. */
export function drawFan(points: readonly CoursePoint[], scale: CourseScale): string {
  const known = points.filter((point) => point.forecast !== undefined);
  if (known.length === 0) return '';
  const at = (point: CoursePoint, value: number) =>
    `${round(scale.xOf(point.timestamp))} ${round(scale.countY(value))}`;
  const above = known.map((point) => at(point, point.forecast!.p95));
  const below = known.toReversed().map((point) => at(point, point.forecast!.p5));
  return `M${above.join('L')}L${below.join('L')}Z`;
}

/** Finds the last point at or before a given time; the first point if there is none. */
export function indexAt(points: readonly { timestamp: number }[], ts: number): number {
  return Math.max(
    0,
    points.findLastIndex((point) => point.timestamp <= ts),
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
