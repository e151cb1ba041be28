// Marks on the chart: bursts of posts, oracle stalls, past advice. Pure.

import type { CoursePoint, LedgerEntry } from '../../api/records.ts';

export type Marker =
  | { kind: 'burst'; fromTs: number; toTs: number; posts: number }
  | { kind: 'gap'; fromTs: number; toTs: number; behind: number }
  | { kind: 'signal'; fromTs: number; toTs: number; bucket: string; won: boolean | null };

const HOUR_MS = 3_600_000;
/** An hour with fewer posts is never a burst, even in a quiet window. */
const MIN_BURST = 5;
const BURST_FACTOR = 3;
/** A stall with fewer posts is not marked. */
const MIN_BEHIND = 3;

export function listMarkers(
  points: readonly CoursePoint[],
  signals: readonly LedgerEntry[] = [],
): readonly Marker[] {
  return [...listBursts(points), ...listGaps(points), ...listSignals(signals)];
}

/** Finds hours with far more posts than the median active hour; adjacent hours form one burst. */
export function listBursts(points: readonly CoursePoint[]): Marker[] {
  const hours = sumHours(points);
  const busy = hours.map(({ posts }) => posts).filter((posts) => posts > 0);
  const middle = busy.sort((left, right) => left - right)[Math.floor(busy.length / 2)] ?? 0;
  const least = Math.max(MIN_BURST, BURST_FACTOR * middle);
  const bursts: Extract<Marker, { kind: 'burst' }>[] = [];
  for (const { ts, posts } of hours.filter((hour) => hour.posts >= least)) {
    const last = bursts.at(-1);
    if (last && last.toTs === ts) Object.assign(last, { toTs: ts + HOUR_MS, posts: last.posts + posts });
    else bursts.push({ kind: 'burst', fromTs: ts, toTs: ts + HOUR_MS, posts });
  }
  return bursts;
}

/** Assigns an increase to the hour it was seen in; across a gap of more than an hour, the hour is unknown. */
function sumHours(points: readonly CoursePoint[]): { ts: number; posts: number }[] {
  const byHour = new Map<number, number>();
  points.forEach((point, i) => {
    const before = points[i - 1];
    if (!before || point.timestamp - before.timestamp > 2 * HOUR_MS) return;
    const ts = Math.floor((point.timestamp - 1) / HOUR_MS) * HOUR_MS;
    const rise = Math.max(0, point.real_counter - before.real_counter);
    byHour.set(ts, (byHour.get(ts) ?? 0) + rise);
  });
  return [...byHour].map(([ts, posts]) => ({ ts, posts }));
}

/** Finds periods of an hour or more in which the oracle did not change while our count rose. */
export function listGaps(points: readonly CoursePoint[]): Marker[] {
  const gaps: Marker[] = [];
  let from = 0;
  points.forEach((point, i) => {
    const isLast = i === points.length - 1;
    const hasMoved = point.market_oracle_counter !== points[from]!.market_oracle_counter;
    if (!hasMoved && !isLast) return;
    const gap = toGap(points[from]!, hasMoved ? points[i - 1]! : point);
    if (gap) gaps.push(gap);
    from = i;
  });
  return gaps;
}

function toGap(first: CoursePoint, last: CoursePoint): Marker | null {
  // Without a count, the oracle was never read, so it did not stall.
  if (first.market_oracle_counter === null) return null;
  const behind = last.real_counter - first.real_counter;
  if (last.timestamp - first.timestamp < HOUR_MS || behind < MIN_BEHIND) return null;
  return { kind: 'gap', fromTs: first.timestamp, toTs: last.timestamp, behind };
}

function listSignals(signals: readonly LedgerEntry[]): Marker[] {
  return signals.map(({ timestamp, bucket, won }) => ({
    kind: 'signal',
    fromTs: timestamp,
    toTs: timestamp,
    bucket,
    won,
  }));
}
