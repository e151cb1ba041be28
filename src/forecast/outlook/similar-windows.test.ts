import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { SortedTimes } from '../time/timeline.ts';
import { findSimilarWindows } from './similar-windows.ts';

const START_TS = Date.UTC(2026, 0, 1);

/** The given number of posts each day, spread over its first hours. */
function days(perDay: readonly number[]) {
  const createdTs = perDay.flatMap((posts, day) =>
    Array.from({ length: posts }, (_, i) => START_TS + day * DAY_MS + ((i + 0.5) / posts) * 20 * HOUR_MS),
  );
  return new SortedTimes(Float64Array.from(createdTs));
}

const windowFrom = (day: number) => ({
  startTs: START_TS + day * DAY_MS,
  endTs: START_TS + (day + 2) * DAY_MS,
});

describe('similar windows', () => {
  // Two-day windows; the running window began on day 9, and one day of it has passed.
  const times = days([1, 10, 2, 30, 7, 11, 5, 1, 1, 10]);
  const nowTs = START_TS + 10 * DAY_MS;

  it('have a similar count at the same point, and include their results', () => {
    const { now, windows } = findSimilarWindows(times, windowFrom(9), nowTs, 2);
    assert.deepEqual(now, { count: 10, lastDay: 10 });
    assert.deepEqual(
      windows.map(({ startTs, countThen, lastDayThen, finalCount }) => [
        (startTs - START_TS) / DAY_MS,
        countThen,
        lastDayThen,
        finalCount,
      ]),
      [
        [1, 10, 10, 12],
        [5, 11, 11, 16],
      ],
    );
  });

  it('have ended and lie within the known history', () => {
    const { windows } = findSimilarWindows(times, windowFrom(9), nowTs, 100);
    assert.ok(windows.every(({ endTs, startTs }) => endTs <= nowTs && startTs >= START_TS));
    assert.equal(windows.length, 8);
  });

  it('are empty without history', () => {
    assert.deepEqual(findSimilarWindows(days([]), windowFrom(0), START_TS + HOUR_MS, 5), {
      now: { count: 0, lastDay: 0 },
      windows: [],
    });
  });
});
