// Past windows of the same length with a similar count at the same point, and their results. A window may
// start on any day, whether or not there was a market.

import type { CountWindow } from '../../domain/market-event.ts';
import { DAY_MS } from '../../domain/units.ts';
import type { SortedTimes } from '../time/timeline.ts';

export interface SimilarWindow {
  startTs: number;
  endTs: number;
  /** Count at the same time after its start. */
  countThen: number;
  /** Count in the 24 hours before that time, or since the start if that is shorter. */
  lastDayThen: number;
  finalCount: number;
}

export interface Standing {
  count: number;
  lastDay: number;
}

const LONGEST_PAST_DAYS = 180;

/** Sorted by similarity, most similar first. */
export function findSimilarWindows(
  counted: SortedTimes,
  window: CountWindow,
  nowTs: number,
  limit: number,
): { now: Standing; windows: SimilarWindow[] } {
  const elapsedMs = Math.min(nowTs, window.endTs) - window.startTs;
  const now = standAt(counted, window.startTs, elapsedMs);
  const firstTs = counted.length > 0 ? counted.at(0) : nowTs;
  const windows: (SimilarWindow & { distance: number })[] = [];
  for (let days = 1; days <= LONGEST_PAST_DAYS; days++) {
    const startTs = window.startTs - days * DAY_MS;
    const endTs = window.endTs - days * DAY_MS;
    if (endTs > nowTs) continue;
    if (startTs < firstTs) break;
    const then = standAt(counted, startTs, elapsedMs);
    windows.push({
      startTs,
      endTs,
      countThen: then.count,
      lastDayThen: then.lastDay,
      finalCount: countBetween(counted, startTs, endTs),
      distance: distanceOf(now, then),
    });
  }
  windows.sort((left, right) => left.distance - right.distance || right.startTs - left.startTs);
  return { now, windows: windows.slice(0, limit).map(({ distance: _, ...similar }) => similar) };
}

function standAt(counted: SortedTimes, startTs: number, elapsedMs: number): Standing {
  const atTs = startTs + elapsedMs;
  return {
    count: countBetween(counted, startTs, atTs),
    lastDay: countBetween(counted, Math.max(startTs, atTs - DAY_MS), atTs),
  };
}

/** Compares ratios: 10 vs. 20 is as far as 100 vs. 200. Pace has half the weight of the count. */
function distanceOf(now: Standing, then: Standing): number {
  return ratio(now.count, then.count) + ratio(now.lastDay, then.lastDay) / 2;
}

function ratio(left: number, right: number): number {
  return Math.abs(Math.log((left + 5) / (right + 5)));
}

/** Count from fromTs up to but excluding untilTs. */
function countBetween(counted: SortedTimes, fromTs: number, untilTs: number): number {
  return counted.countBefore(untilTs) - counted.countBefore(fromTs);
}
