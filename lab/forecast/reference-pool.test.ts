import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { distributionMean } from '../../src/forecast/distribution/distribution.ts';
import { getMarketZone } from '../../src/forecast/time/market-zone.ts';
import { createTimeline } from '../../src/forecast/time/timeline.ts';
import { drawFamily } from './families.ts';
import { ReferencePool } from './reference-pool.ts';

describe('reference pool', () => {
  const history = drawFamily('poisson', 120, 3);
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
