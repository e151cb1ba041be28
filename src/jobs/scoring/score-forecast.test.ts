import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarketEvent } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { ForecastRecord } from '../../store/ports.ts';
import { dropUnscored } from './score-forecast.ts';

describe('recomputed forecasts', () => {
  const event = { window: { startTs: 0, endTs: 168 * HOUR_MS } } as MarketEvent;
  const at = (leadHours: number, price: number | null) =>
    ({
      asofTs: event.window.endTs - leadHours * HOUR_MS,
      distribution: [1],
      baselines: {},
      marketPrices: [price],
    }) as unknown as ForecastRecord;
  const keptLaws = (records: ForecastRecord[]) =>
    dropUnscored(records, event).map(({ distribution, baselines }) => [distribution.length, baselines]);

  it('keep their distributions at the scored horizons', () => {
    const kept = keptLaws([at(24, 0.2), at(23, 0.3)]);
    assert.deepEqual(kept, [
      [1, {}],
      [0, null],
    ]);
  });

  it('keep all distributions if only other moments have prices', () => {
    const kept = keptLaws([at(24, null), at(17, 0.3)]);
    assert.deepEqual(kept, [
      [1, {}],
      [1, {}],
    ]);
  });
});
