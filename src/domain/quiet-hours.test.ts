import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findLoudTs, parseMinuteOfDay, writeMinuteOfDay } from './quiet-hours.ts';
import { HOUR_MS, MINUTE_MS } from './units.ts';
import { utcTsToWall } from './zoned-time.ts';

const NIGHT = { fromMinute: 22 * 60, toMinute: 7 * 60, zone: 'Europe/Zurich' };

describe('quiet hours', () => {
  it("delay alerts until they end, even across midnight, in the user's time zone", () => {
    const evening = Date.UTC(2026, 0, 5, 22, 30);
    assert.equal(findLoudTs(NIGHT, evening), Date.UTC(2026, 0, 6, 6, 0));
    const early = Date.UTC(2026, 0, 6, 5, 59, 30);
    assert.equal(findLoudTs(NIGHT, early), Date.UTC(2026, 0, 6, 6, 0));
    const noon = Date.UTC(2026, 0, 6, 11, 0);
    assert.equal(findLoudTs(NIGHT, noon), noon);
    assert.equal(findLoudTs(null, evening), evening);
  });

  it('never end in the past and never last longer than 25 hours', () => {
    const minute = fc.integer({ min: 0, max: 1_439 });
    const zone = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe');
    const ts = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
    fc.assert(
      fc.property(minute, minute, zone, ts, (fromMinute, toMinute, name, at) => {
        const loudTs = findLoudTs({ fromMinute, toMinute, zone: name }, at);
        assert.ok(loudTs >= at && loudTs <= at + 25 * HOUR_MS);
        if (loudTs > at + MINUTE_MS) {
          const wall = utcTsToWall(loudTs, name);
          // The wall-clock end is off only if it falls in an hour skipped by a clock change.
          assert.ok(Math.abs(wall.hour * 60 + wall.minute - toMinute) <= 60);
        }
      }),
    );
  });

  it('are parsed and formatted as clock times', () => {
    assert.equal(parseMinuteOfDay('22:30'), 1350);
    assert.equal(writeMinuteOfDay(1350), '22:30');
    assert.deepEqual(['24:00', '7:00', '12:60', ''].map(parseMinuteOfDay), [null, null, null, null]);
  });
});
