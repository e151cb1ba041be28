import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS } from './units.ts';
import { isTimeZone, MARKET_TIME_ZONE, utcTsToWall, wallToUtcTs } from './zoned-time.ts';

describe('zone arithmetic', () => {
  it('puts noon in New York at 16:00 UTC in summer and 17:00 UTC in winter', () => {
    const noon = (month: number) => wallToUtcTs({ year: 2026, month, day: 15, hour: 12 }, MARKET_TIME_ZONE);
    assert.equal(new Date(noon(8)).toISOString(), '2026-08-15T16:00:00.000Z');
    assert.equal(new Date(noon(1)).toISOString(), '2026-01-15T17:00:00.000Z');
  });

  it('handles 23- and 25-hour days at clock changes', () => {
    const dayLength = (month: number, day: number) =>
      wallToUtcTs({ year: 2026, month, day: day + 1 }, MARKET_TIME_ZONE) -
      wallToUtcTs({ year: 2026, month, day }, MARKET_TIME_ZONE);
    assert.equal(dayLength(3, 8), 23 * HOUR_MS);
    assert.equal(dayLength(11, 1), 25 * HOUR_MS);
  });

  it('reads a zone no matter how it is spelled', () => {
    for (let spelling = 0; spelling < 300; spelling++) {
      let bit = 0;
      const zone = MARKET_TIME_ZONE.replaceAll(/[a-z]/g, (letter) =>
        (spelling >> bit++) & 1 ? letter.toUpperCase() : letter,
      );
      const wall = utcTsToWall(Date.UTC(2026, 6, 1, 12), zone);
      assert.equal(wall.hour, 8, zone);
    }
  });

  it('rolls days and months over', () => {
    const rolled = wallToUtcTs({ year: 2026, month: 13, day: 1 }, MARKET_TIME_ZONE);
    assert.equal(new Date(rolled).toISOString(), '2027-01-01T05:00:00.000Z');
  });

  it('uses the first of two equal wall times in autumn', () => {
    const twice = wallToUtcTs({ year: 2026, month: 11, day: 1, hour: 1, minute: 30 }, MARKET_TIME_ZONE);
    assert.equal(new Date(twice).toISOString(), '2026-11-01T05:30:00.000Z');
  });

  it('distinguishes a zone from a typo, reusing one formatter for all calls', (t) => {
    assert.deepEqual(['Europe/Paris', 'Mars/Olympus', ''].map(isTimeZone), [true, false, false]);
    const { mock } = t.mock.method(Intl, 'DateTimeFormat');
    for (let i = 0; i < 100; i++) assert.equal(isTimeZone('Europe/Paris'), true);
    assert.equal(mock.callCount(), 0);
  });

  it('round-trips every wall time that occurs once', () => {
    const minutes = fc.integer({ min: Date.UTC(2020, 0, 1) / 60_000, max: Date.UTC(2035, 0, 1) / 60_000 });
    const zones = fc.constantFrom(MARKET_TIME_ZONE, 'Europe/Berlin', 'Asia/Kolkata', 'UTC');
    fc.assert(
      fc.property(minutes, zones, (minute, zone) => {
        const wall = utcTsToWall(minute * 60_000, zone);
        assert.deepEqual(utcTsToWall(wallToUtcTs(wall, zone), zone), wall);
      }),
    );
  });
});
