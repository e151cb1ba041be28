// A scenario: the account posts faster or slower, stays silent for a while, or has just posted more. The
// result is the model's forecast under that assumption; the model learns nothing from it.

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
