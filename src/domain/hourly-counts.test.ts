import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countByHour, profilePosting, sumByDay } from './hourly-counts.ts';
import { DAY_MS, HOUR_MS } from './units.ts';

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

const NOW_TS = Date.UTC(2026, 5, 15, 12);

function timesOf(createdTs: readonly number[], isCounted = createdTs.map(() => 1)) {
  return { createdTs: Float64Array.from(createdTs), isCounted: Uint8Array.from(isCounted) };
}

describe('posting profile', () => {
  it('has rates by hour and weekday in the time zone', () => {
    // Daily at 13:30 UTC, which is 09:30 in New York in June; only every second post counts.
    const daily = Array.from({ length: 14 }, (_, day) => NOW_TS - (day + 1) * DAY_MS + 1.5 * HOUR_MS);
    const times = timesOf(
      daily.toReversed(),
      daily.map((_, i) => i % 2),
    );
    const profile = profilePosting(times, 14, NOW_TS, 'America/New_York');
    assert.deepEqual([profile.counted, profile.all], [7, 14]);
    assert.deepEqual(
      profile.byHour.filter(({ allPerHour }) => allPerHour > 0),
      [{ place: 9, countedPerHour: 0.5, allPerHour: 1, hours: 14 }],
    );
    assert.ok(profile.byWeekday.every(({ allPerHour, hours }) => hours === 48 && allPerHour * 24 === 1));
  });

  it('counts every hour exactly once, in any zone and across a clock change', () => {
    const zones = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe');
    const instants = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 11) });
    fc.assert(
      fc.property(zones, instants, fc.constantFrom(7, 14, 30), (zone, nowTs, days) => {
        const posts = Array.from({ length: 50 }, (_, i) => nowTs - (50 - i) * 9 * HOUR_MS);
        const { byHour, byWeekday, all } = profilePosting(timesOf(posts), days, nowTs, zone);
        for (const habits of [byHour, byWeekday]) {
          assert.equal(
            habits.reduce((hours, habit) => hours + habit.hours, 0),
            days * 24,
          );
          const total = habits.reduce((posts, habit) => posts + habit.allPerHour * habit.hours, 0);
          assert.ok(Math.abs(total - all) < 1e-6);
        }
      }),
      { numRuns: 40 },
    );
  });
});
