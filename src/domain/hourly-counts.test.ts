import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countByHour, sumByDay } from './hourly-counts.ts';
import { DAY_MS } from './units.ts';

const START = Date.UTC(2026, 9, 30, 16);
const window = { startTs: START, endTs: START + 7 * DAY_MS };

describe('hourly counts', () => {
  it('include every post in the window and none outside it', () => {
    const offsets = fc.array(fc.tuple(fc.integer({ min: -DAY_MS, max: 9 * DAY_MS }), fc.boolean()));
    fc.assert(
      fc.property(offsets, (posts) => {
        const times = {
          createdTs: Float64Array.from(posts, ([offset]) => START + offset),
          isCounted: Uint8Array.from(posts, ([, isCounted]) => Number(isCounted)),
        };
        const hours = countByHour(times, window, window.endTs);
        const inside = posts.filter(([offset]) => offset >= 0 && offset < 7 * DAY_MS);
        const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
        assert.equal(sum(hours.map((hour) => hour.all)), inside.length);
        assert.equal(
          sum(hours.map((hour) => hour.counted)),
          inside.filter(([, isCounted]) => isCounted).length,
        );
        const days = sumByDay(hours, 'America/New_York');
        assert.equal(sum(days.map((day) => day.all)), inside.length);
      }),
    );
  });

  it('stop at the current time', () => {
    const none = { createdTs: new Float64Array(), isCounted: new Uint8Array() };
    assert.equal(countByHour(none, window, START + 90 * 60_000).length, 2);
  });

  it('have 25 hours on the day clocks go back', () => {
    const none = { createdTs: new Float64Array(), isCounted: new Uint8Array() };
    const perDay = Object.groupBy(
      countByHour(none, window, window.endTs),
      (hour) => sumByDay([hour], 'America/New_York')[0]!.date,
    );
    assert.equal(perDay['2026-11-01']!.length, 25);
    assert.equal(perDay['2026-11-02']!.length, 24);
  });
});
