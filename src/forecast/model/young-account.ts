// An account that is known for days only. Its habits are mostly prior, so the plain pace of what is known stands beside
// them: every post since the window began, also from before the record, and of the last week of the record.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { CountShape } from '../distribution/count-shape.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { Timeline } from '../time/timeline.ts';
import type { ForecastRequest } from '../types.ts';

/** The pace weighs as these days do against the days of history; it has no say from six weeks on. */
const PACE_DAYS = 2.6;
const GROWN_DAYS = 42;
const MOST_SHARE = 0.8;

/** Share of the pace in what is said of an account of this age. */
export function shareOfPace(ageMs: number): number {
  const share = PACE_DAYS * (DAY_MS / ageMs - 1 / GROWN_DAYS);
  return Math.max(0, Math.min(MOST_SHARE, share));
}

const SIZE_AT_DAY = 5;
/** The past that the pace is taken from is partly the same spell as what comes. */
const PAST_DOUBT = 0.5;

/** What two unlike accounts have in common: how steady a stretch of this length is. */
function steadiness(spanMs: number): number {
  const days = spanMs / DAY_MS;
  return SIZE_AT_DAY * days ** (days < 1 ? 0.78 : 0.35);
}

/** The pace so far carried on; both the past it is taken from and the future it is laid on may be unlike the rest. */
export function paceMember(
  { counted, firstTs }: Timeline,
  exposure: ExposureClock,
  { asofTs, window, countSoFar, paceFactor = 1 }: ForecastRequest,
): CountShape {
  const recordTs = Math.max(firstTs, asofTs - 7 * DAY_MS);
  const sinceTs = Math.min(recordTs, window.startTs, asofTs - HOUR_MS);
  const inWindow = asofTs > window.startTs ? countSoFar : 0;
  const before = counted.countSince(recordTs, Math.min(asofTs, Math.max(recordTs, window.startTs)));
  const perHour = Math.max(0.5, inWindow + before) / ((asofTs - sinceTs) / HOUR_MS);
  const fromTs = Math.max(asofTs, window.startTs);
  const size = 1 / (1 / steadiness(window.endTs - fromTs) + PAST_DOUBT / steadiness(asofTs - sinceTs));
  return { mean: perHour * exposure.between(fromTs, window.endTs) * paceFactor, logVariance: 0, size };
}
