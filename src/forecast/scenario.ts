// An imagined future: the account posts faster or slower, is silent for a while, or has just posted more. What it says
// is the model's word under that assumption; the model learns nothing from what did not happen.

import type { ForecastRequest } from './types.ts';

export interface Scenario {
  /** Multiplies the rate of the posts still to come. */
  paceFactor: number;
  /** Nothing is posted before this; null where no silence is assumed. */
  wakeTs: number | null;
  /** Counted posts made now, beyond those that were. */
  postsAdded: number;
}

export function isNeutral({ paceFactor, wakeTs, postsAdded }: Scenario, asofTs: number): boolean {
  return paceFactor === 1 && postsAdded === 0 && (wakeTs === null || wakeTs <= asofTs);
}

/** The same question, asked in the imagined future. Silence is a window that begins when it ends. */
export function imagine(request: ForecastRequest, scenario: Scenario): ForecastRequest {
  const { window, countSoFar } = request;
  return {
    ...request,
    window: { ...window, startTs: Math.max(window.startTs, scenario.wakeTs ?? window.startTs) },
    countSoFar: countSoFar + scenario.postsAdded,
    paceFactor: scenario.paceFactor,
  };
}
