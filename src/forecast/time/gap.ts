// An outage is unobserved time, not silence. What is known then is the account as it stood when it was last seen, and,
// where the oracle still speaks, how far its count has come since. Taken for silence, six dark hours once lowered the
// forecast, put the account to sleep and doubled the advice to buy.

import type { ForecastRequest } from '../types.ts';

/**
 * The same question without the gap: asked at the last instant seen, of all that has come since; or, where the oracle
 * has counted on, of what comes after its reading. A request without a gap is given back as it is.
 */
export function bridgeGap(request: ForecastRequest): ForecastRequest {
  const { seenUntilTs, asofTs, window, countSoFar, oracle } = request;
  if (seenUntilTs === undefined || seenUntilTs >= asofTs) return request;
  const { seenUntilTs: _, ...seen } = { ...request, asofTs: seenUntilTs };
  const toldTs = Math.min(asofTs, oracle?.asofTs ?? Number.NEGATIVE_INFINITY);
  const told = oracle?.count ?? null;
  if (told === null || toldTs <= seenUntilTs || told < countSoFar) return seen;
  return {
    ...seen,
    countSoFar: told,
    window: { startTs: Math.max(window.startTs, toldTs), endTs: window.endTs },
  };
}
