// A scenario: the account posts faster or slower, stays silent for a while, or has just posted more. The
// result is the model's forecast under that assumption; the model learns nothing from it.

import { HOUR_MS } from '../domain/units.ts';
import type { ForecastRequest } from './types.ts';

export interface Scenario {
  /** Multiplies the rate of future posts. */
  paceFactor: number;
  /** No posts before this time; null for no assumed silence. */
  wakeTs: number | null;
  /** Extra counted posts assumed to exist now. */
  postsAdded: number;
}

export function isNeutral({ paceFactor, wakeTs, postsAdded }: Scenario, asofTs: number): boolean {
  return paceFactor === 1 && postsAdded === 0 && (wakeTs === null || wakeTs <= asofTs);
}

/** Applies the scenario to a request. A silence becomes a window that starts when the silence ends. */
export function imagine(request: ForecastRequest, scenario: Scenario): ForecastRequest {
  const { window, countSoFar } = request;
  return {
    ...request,
    window: { ...window, startTs: Math.max(window.startTs, scenario.wakeTs ?? window.startTs) },
    countSoFar: countSoFar + scenario.postsAdded,
    paceFactor: scenario.paceFactor,
  };
}

// An outage is unobserved time, not silence. Only the account's last observed state and, if the oracle still
// responds, its count are known. Treating an outage as silence would lower the forecast, make the account
// look asleep and inflate buy advice.

/**
 * The pace may change during an outage. This uncertainty grows with the unobserved hours and decays, so it
 * matters less at long leads. Fitted to both accounts (lab/experiments.md).
 */
const PACE_VARIANCE_PER_HOUR = 3;
const MAX_PACE_VARIANCE = 0.6;

function paceSpread(unseenMs: number, leftMs: number): number {
  const [unseenHours, leftHours] = [unseenMs / HOUR_MS, Math.max(0, leftMs) / HOUR_MS];
  const variance = (PACE_VARIANCE_PER_HOUR * unseenHours) / leftHours ** 2;
  return Math.sqrt(Math.min(MAX_PACE_VARIANCE, variance));
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
