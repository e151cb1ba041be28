// Detects look-ahead by computing past forecasts twice, with the whole file and with the file truncated at that
// time. Later posts must not change a digit.

import type { EventForecast, ForecastRequest, PostHistory } from '../../src/forecast/types.ts';

export type ForecastFrom = (history: PostHistory) => (request: ForecastRequest) => EventForecast;

function cutHistory({ createdTs, isCounted }: PostHistory, asofTs: number): PostHistory {
  let known = 0;
  while (known < createdTs.length && createdTs[known]! <= asofTs) known += 1;
  return { createdTs: createdTs.slice(0, known), isCounted: isCounted.slice(0, known) };
}

/** Forecast requests with a result that depends on later posts. */
export function findLeaks(
  history: PostHistory,
  requests: readonly ForecastRequest[],
  forecastFrom: ForecastFrom,
): ForecastRequest[] {
  return requests.filter((request) => {
    const whole = forecastFrom(history)(request).distribution;
    const cut = forecastFrom(cutHistory(history, request.asofTs))(request).distribution;
    return (
      whole.from !== cut.from ||
      whole.pmf.length !== cut.pmf.length ||
      whole.pmf.some((p, i) => p !== cut.pmf[i])
    );
  });
}
