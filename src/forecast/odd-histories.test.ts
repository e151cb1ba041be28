import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { profileOfLetter } from '../domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import { createForecaster } from './forecaster.ts';
import { getAccountParameters } from './parameters.ts';
import type { EventForecast, PostHistory } from './types.ts';

const NOW_TS = Date.UTC(2026, 2, 9, 15);
const parameters = getAccountParameters(profileOfLetter('b'));

interface Shape {
  pastDays: number;
  perDay: number;
  silentDays: number;
  burst: number;
  burstHours: number;
}

/** Regular posts, then silence, then a burst of posts up to now. */
function historyOf({ pastDays, perDay, silentDays, burst, burstHours }: Shape): PostHistory {
  const endTs = NOW_TS - burstHours * HOUR_MS - silentDays * DAY_MS;
  const past = Math.floor(pastDays * perDay);
  const createdTs = [
    ...Array.from({ length: past }, (_, i) => endTs - ((past - i) * DAY_MS) / perDay),
    ...Array.from({ length: burst }, (_, i) => NOW_TS - ((burst - i) * burstHours * HOUR_MS) / burst),
  ].map(Math.floor);
  return {
    createdTs: Float64Array.from(createdTs),
    isCounted: Uint8Array.from(createdTs, (_, i) => (i % 3 === 0 ? 0 : 1)),
  };
}

function forecast(shape: Shape, endDays: number): EventForecast {
  const window = { startTs: NOW_TS - 6 * DAY_MS, endTs: NOW_TS + endDays * DAY_MS };
  const forecaster = createForecaster(historyOf(shape), parameters, 7);
  return forecaster.forecast({ asofTs: NOW_TS, window, countSoFar: shape.burst });
}

function assertDistribution({ distribution, p5, p50, p95 }: EventForecast): void {
  const total = distribution.pmf.reduce((sum, p) => sum + p, 0);
  assert.ok(Math.abs(total - 1) < 1e-9, `the distribution sums to ${total}`);
  assert.ok(p5 <= p50 && p50 <= p95, `${p5}, ${p50}, ${p95}`);
}

describe('unusual histories', () => {
  it('can be forecast (300 posts in three hours after a silent month)', () => {
    assertDistribution(
      forecast({ pastDays: 250, perDay: 20, silentDays: 29.4, burst: 309, burstHours: 3 }, 1),
    );
  });

  it('always yield a distribution', () => {
    const shapes = fc.record({
      pastDays: fc.integer({ min: 0, max: 120 }),
      perDay: fc.constantFrom(0.2, 3, 20, 90),
      silentDays: fc.integer({ min: 0, max: 60 }),
      burst: fc.integer({ min: 0, max: 400 }),
      burstHours: fc.constantFrom(0.1, 3, 48, 150),
    });
    fc.assert(
      fc.property(shapes, fc.constantFrom(0.01, 1, 5, 30), (shape, endDays) =>
        assertDistribution(forecast(shape, endDays)),
      ),
      { numRuns: 6, seed: 11 },
    );
  });
});
