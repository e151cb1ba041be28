// An outage is unobserved time, not silence. Only the account's last observed state and, if the oracle still
// responds, its count are known. Treating an outage as silence would lower the forecast, make the account
// look asleep and inflate buy advice.

import { HOUR_MS } from '../../domain/units.ts';
import type { ForecastRequest } from '../types.ts';

/**
 * The pace may change during an outage. This uncertainty grows with the unobserved hours and decays, so it
 * matters less at long leads. Fitted to both accounts (docs/experiments/blind-hours).
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
