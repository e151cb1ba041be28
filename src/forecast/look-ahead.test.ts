import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import { createRandom } from '../runtime/random.ts';
import { createForecaster } from './forecaster.ts';
import type { EventForecast, ForecastRequest, PostHistory } from './types.ts';

// Detects look-ahead by computing past forecasts twice, with the whole file and with the file truncated at that
// time. Later posts must not change a digit.

type ForecastFrom = (history: PostHistory) => (request: ForecastRequest) => EventForecast;

function cutHistory({ createdTs, isCounted }: PostHistory, asofTs: number): PostHistory {
  let known = 0;
  while (known < createdTs.length && createdTs[known]! <= asofTs) known += 1;
  return { createdTs: createdTs.slice(0, known), isCounted: isCounted.slice(0, known) };
}

/** Forecast requests with a result that depends on later posts. */
function findLeaks(
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

const START_TS = Date.UTC(2025, 0, 6, 17);
const parameters = { marketTimeZone: 'America/New_York', sleepPrior: 0.3, initialPostsPerDay: 20 };

function burstyHistory(days: number): PostHistory {
  const random = createRandom(8);
  const times: number[] = [];
  for (let h = 0; h < days * 24; h++) {
    const perHour = 2 * Math.exp(0.6 * Math.sin(h / 90) + 0.5 * random.normal());
    for (let left = perHour; random.uniform() < left; left--) {
      times.push(START_TS + h * HOUR_MS + Math.floor(random.uniform() * HOUR_MS));
    }
  }
  times.sort((a, b) => a - b);
  return { createdTs: Float64Array.from(times), isCounted: Uint8Array.from(times, (ts) => ts & 1) };
}

const history = burstyHistory(70);
const random = createRandom(4);
const requests: ForecastRequest[] = [1, 5, 9, 20, 40, 70, 120, 168].map((leadHours) => {
  const asofTs = START_TS + Math.floor((20 + 40 * random.uniform()) * DAY_MS);
  const endTs = asofTs + leadHours * HOUR_MS;
  return { window: { startTs: endTs - 7 * DAY_MS, endTs }, asofTs, countSoFar: 12 };
});

const honest: ForecastFrom = (known) => {
  const forecaster = createForecaster(known, parameters, 5);
  return (request) => forecaster.forecast(request);
};

/** Sees posts from the next three hours, as a late export could leak them. */
const peeking: ForecastFrom = (known) => {
  const forecaster = createForecaster(known, parameters, 5);
  return (request) => forecaster.forecast({ ...request, asofTs: request.asofTs + 3 * HOUR_MS });
};

describe('look-ahead', () => {
  it('does not occur: forecasts are the same from the full file and from the file cut at the origin', () => {
    assert.deepEqual(findLeaks(history, requests, honest), []);
  });

  it('is detected when introduced on purpose', () => {
    const long = requests.filter(({ window, asofTs }) => window.endTs - asofTs > 4 * HOUR_MS);
    assert.deepEqual(findLeaks(history, long, peeking), long);
  });
});
