// An account known for only a few days. Its habits are mostly prior, so they are mixed with its simple pace:
// all posts since the window began, including those before the history starts, plus the last week of history.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { CountShape } from '../distribution/count-shape.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { Timeline } from '../time/timeline.ts';
import type { ForecastRequest } from '../types.ts';

/** Weight of the pace in days of history; it reaches zero after six weeks. */
const PACE_DAYS = 2.6;
const GROWN_DAYS = 42;
const MOST_SHARE = 0.8;

/** Weight of the simple pace for an account of this age. */
export function shareOfPace(ageMs: number): number {
  const share = PACE_DAYS * (DAY_MS / ageMs - 1 / GROWN_DAYS);
  return Math.max(0, Math.min(MOST_SHARE, share));
}

const SIZE_AT_DAY = 5;
/** The history behind the pace is partly from the current regime, so its uncertainty counts half. */
const PAST_DOUBT = 0.5;

/** How steady a period of this length is; fitted to two dissimilar accounts. */
function steadiness(spanMs: number): number {
  const days = spanMs / DAY_MS;
  return SIZE_AT_DAY * days ** (days < 1 ? 0.78 : 0.35);
}

/** Extrapolates the pace so far, including the uncertainty in both the sample and the future. */
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
