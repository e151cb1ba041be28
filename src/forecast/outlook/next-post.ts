// Expected time of the next post, without a model: the empirical distribution of past waits after an equally
// long silence at about the same time of day.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { SortedTimes } from '../time/timeline.ts';

export interface NextPost {
  p5Ts: number;
  p50Ts: number;
  p95Ts: number;
  /** Number of past waits behind the estimate. */
  sampleSize: number;
}

/** Looking back further would skew the interval with outdated habits. */
const LOOK_BACK_MS = 30 * DAY_MS;
/** Nights differ from days: uses waits within this many hours of the current time if there are enough. */
const NEAR_HOURS = [2, 4, 12];
const MIN_SAMPLE = 40;
/** Minimum sample size. */
const MIN_SAMPLE_SHOWN = 10;

/** null if there is too little history. Ignores anything after now. */
export function estimateNextPost(counted: SortedTimes, nowTs: number): NextPost | null {
  const past = counted.countUpTo(nowTs);
  if (past === 0) return null;
  const waits = chooseWaits(counted, nowTs - counted.at(past - 1), nowTs);
  if (waits.length < MIN_SAMPLE_SHOWN) return null;
  return {
    p5Ts: nowTs + quantile(waits, 0.05),
    p50Ts: nowTs + quantile(waits, 0.5),
    p95Ts: nowTs + quantile(waits, 0.95),
    sampleSize: waits.length,
  };
}

/** Remaining duration of each past silence that lasted at least as long as this one, ascending. */
function chooseWaits(counted: SortedTimes, silentMs: number, nowTs: number): number[] {
  let chosen: number[] = [];
  for (const hours of NEAR_HOURS) {
    chosen = listWaits(counted, silentMs, nowTs, hours * HOUR_MS);
    if (chosen.length >= MIN_SAMPLE) break;
  }
  return chosen.sort((left, right) => left - right);
}

function listWaits(counted: SortedTimes, silentMs: number, nowTs: number, nearMs: number): number[] {
  const waits: number[] = [];
  const until = counted.countUpTo(nowTs);
  for (let i = counted.countBefore(nowTs - LOOK_BACK_MS) + 1; i < until; i++) {
    const waitMs = counted.at(i) - counted.at(i - 1) - silentMs;
    if (waitMs > 0 && isNearTimeOfDay(counted.at(i - 1) + silentMs, nowTs, nearMs)) waits.push(waitMs);
  }
  return waits;
}

function isNearTimeOfDay(ts: number, nowTs: number, nearMs: number): boolean {
  const apartMs = Math.abs(nowTs - ts) % DAY_MS;
  return Math.min(apartMs, DAY_MS - apartMs) <= nearMs;
}

function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))]!;
}
