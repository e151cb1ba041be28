import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { distributionMean } from '../../src/forecast/distribution/distribution.test-support.ts';
import { getMarketZone } from '../../src/forecast/time/market-zone.ts';
import { createTimeline } from '../../src/forecast/time/timeline.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { ReferencePool } from './reference-pool.ts';

/** About 24 posts a day, most of them around 20:00 UTC. */
function drawHistory(days: number) {
  const random = createRandom(3);
  const times: number[] = [];
  for (let hour = 0; hour < 24 * days; hour++) {
    const rate = 0.96 * Math.max(0.05, 1 + 1.2 * Math.cos((2 * Math.PI * ((hour % 24) - 20)) / 24));
    for (let wait = 0; (wait -= Math.log(1 - random.uniform())) < rate; )
      times.push(Date.UTC(2024, 0, 1) + hour * HOUR_MS + Math.floor((wait / rate) * HOUR_MS));
  }
  return { createdTs: Float64Array.from(times), isCounted: new Uint8Array(times.length).fill(1) };
}

describe('reference pool', () => {
  const history = drawHistory(120);
  const pool = new ReferencePool(createTimeline(history), getMarketZone('America/New_York'));
  const asofTs = history.createdTs[0]! + 110 * DAY_MS;
  pool.refit(asofTs);

  it('expects a steady account to continue at its rate, at short and long leads', () => {
    for (const days of [1, 3, 7]) {
      const mean = distributionMean(pool.forecast(asofTs, asofTs + days * DAY_MS));
      assert.ok(Math.abs(mean / (24 * days) - 1) < 0.25, `${days} days: ${mean.toFixed(1)}`);
    }
  });

  it('learns the quiet hours of the day', () => {
    const at = (utcHour: number) => {
      const fromTs = Math.floor(asofTs / DAY_MS) * DAY_MS + utcHour * HOUR_MS;
      return distributionMean(pool.forecast(fromTs, fromTs + 6 * HOUR_MS));
    };
    assert.ok(at(17) > 2 * at(5), `${at(17)} and ${at(5)}`);
  });
});
