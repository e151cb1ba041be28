import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../../domain/units.ts';
import { listWindows } from '../backtest/walk-forward.ts';
import { getMarketZone } from './market-zone.ts';

const zone = getMarketZone('America/New_York');

describe('market zone', () => {
  it('converts local noon to UTC on both sides of a clock change', () => {
    assert.equal(zone.fromLocal(2025, 3, 8, 12), Date.UTC(2025, 2, 8, 17));
    assert.equal(zone.fromLocal(2025, 3, 9, 12), Date.UTC(2025, 2, 9, 16));
    assert.equal(zone.fromLocal(2025, 11, 2, 12), Date.UTC(2025, 10, 2, 17));
  });

  it('returns the hour of the week across a clock change', () => {
    assert.equal(zone.hourOfWeek(Date.UTC(2025, 2, 9, 6)), 1);
    assert.equal(zone.hourOfWeek(Date.UTC(2025, 2, 9, 7)), 3);
    assert.equal(zone.hourOfWeek(Date.UTC(2025, 2, 9, 4)), 167);
  });
});

describe('backtest windows', () => {
  const year = { fromTs: zone.fromLocal(2025, 1, 1, 0), toTs: zone.fromLocal(2026, 1, 1, 0) };
  const daily = [0, 1, 2, 3, 4, 5, 6];

  it('start at every local noon and end within the range', () => {
    const windows = listWindows({ length: { days: 7 }, startWeekdays: daily, ...year }, zone);
    assert.equal(windows.length, 365 - 7);
    assert.equal(new Set(windows.map((w) => w.startTs)).size, windows.length);
  });

  it('are 167 or 169 hours long in weeks with a clock change', () => {
    const windows = listWindows({ length: { days: 7 }, startWeekdays: daily, ...year }, zone);
    const hours = new Set(windows.map((w) => (w.endTs - w.startTs) / HOUR_MS));
    assert.deepEqual([...hours].sort(), [167, 168, 169]);
  });

  it('start on the requested weekdays', () => {
    const windows = listWindows({ length: { days: 2 }, startWeekdays: [2, 5], ...year }, zone);
    for (const { startTs } of windows) assert.ok([2, 5].includes(zone.localParts(startTs).weekday));
    assert.ok(windows.length >= 103);
  });

  it('start at local midnight for calendar months', () => {
    const months = listWindows({ length: 'month', startWeekdays: [], ...year }, zone);
    assert.equal(months.length, 12);
    assert.equal(months[0]!.startTs, Date.UTC(2025, 0, 1, 5));
    assert.equal(months[5]!.startTs, Date.UTC(2025, 5, 1, 4));
  });
});
