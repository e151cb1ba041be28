// An outage is unobserved time, not silence. What is known is the account's last observed state and, if the
// oracle still responds, its count. Treated as silence, a six-hour outage once lowered the forecast, made the
// account look asleep and doubled the buy advice.

import { HOUR_MS } from '../../domain/units.ts';
import type { ForecastRequest } from '../types.ts';

/**
 * During an outage the pace may change unobserved. The uncertainty grows with the unobserved hours and
 * decays, so it matters less at long leads. Fitted to both accounts (docs/experiments/blind-hours).
 */
const PACE_VARIANCE_PER_HOUR = 3;
const MOST_PACE_VARIANCE = 0.6;

function paceSpread(unseenMs: number, leftMs: number): number {
  const [unseenHours, leftHours] = [unseenMs / HOUR_MS, Math.max(0, leftMs) / HOUR_MS];
  const variance = (PACE_VARIANCE_PER_HOUR * unseenHours) / leftHours ** 2;
  return Math.sqrt(Math.min(MOST_PACE_VARIANCE, variance));
}

/**
 * Converts the request to one without the outage: as of the last visible post or, if newer, as of the oracle
 * count. A request without an outage is returned unchanged.
 */
export function bridgeGap(request: ForecastRequest): ForecastRequest {
  const { seenUntilTs, asofTs, window, countSoFar, oracle } = request;
  if (seenUntilTs === undefined || seenUntilTs >= asofTs) return request;
  const { seenUntilTs: _, ...seen } = { ...request, asofTs: seenUntilTs };
  const reportedTs = Math.min(asofTs, oracle?.asofTs ?? Number.NEGATIVE_INFINITY);
  const reported = oracle?.count ?? null;
  if (reported === null || reportedTs <= seenUntilTs || reported < countSoFar) return seen;
  return {
    ...seen,
    countSoFar: reported,
    paceSpread: paceSpread(reportedTs - seenUntilTs, window.endTs - reportedTs),
    window: { startTs: Math.max(window.startTs, reportedTs), endTs: window.endTs },
  };
}
