import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { SortedTimes } from '../time/timeline.ts';
import { estimateNextPost } from './next-post.ts';

const START_TS = Date.UTC(2026, 0, 1);

function timesOf(ts: readonly number[]): SortedTimes {
  return new SortedTimes(Float64Array.from(ts));
}

/** A Poisson process with this many posts per hour. */
function createPoisson(ratePerHour: number, days: number): number[] {
  const random = createRandom(5);
  const times: number[] = [];
  for (let ts = START_TS; ts < START_TS + days * DAY_MS; ) {
    ts += (-Math.log(1 - random.uniform()) / ratePerHour) * HOUR_MS;
    times.push(ts);
  }
  return times;
}

describe('next post', () => {
  it('follows the rate of a Poisson process', () => {
    const times = createPoisson(2, 40);
    const nowTs = times.at(-1)! + 5 * MINUTE_MS;
    const { p5Ts, p50Ts, p95Ts, sampleSize } = estimateNextPost(timesOf(times), nowTs)!;
    assert.ok(sampleSize >= 40);
    // A Poisson process is memoryless: the median is ln 2 / 2 hours, and the 5th and 95th percentiles match
    // the exponential distribution.
    assert.ok(Math.abs((p50Ts - nowTs) / MINUTE_MS - 20.8) < 4, `${(p50Ts - nowTs) / MINUTE_MS}`);
    assert.ok(p5Ts - nowTs < 4 * MINUTE_MS);
    assert.ok(Math.abs((p95Ts - nowTs) / MINUTE_MS - 89.9) < 20, `${(p95Ts - nowTs) / MINUTE_MS}`);
  });

  it('is expected in the morning if it is night now', () => {
    // Posts every half hour from 08:00 to 22:00.
    const days = Array.from({ length: 50 }, (_, day) => START_TS + day * DAY_MS);
    const times = days.flatMap((day) =>
      Array.from({ length: 29 }, (_, i) => day + 8 * HOUR_MS + i * 30 * MINUTE_MS),
    );
    const nowTs = START_TS + 49 * DAY_MS + 23 * HOUR_MS;
    const { p5Ts, p95Ts } = estimateNextPost(timesOf(times), nowTs)!;
    assert.deepEqual([p5Ts, p95Ts], [nowTs + 9 * HOUR_MS, nowTs + 9 * HOUR_MS]);
  });

  it('ignores posts after the current time', () => {
    const times = createPoisson(2, 40);
    const nowTs = times[times.length >> 1]! + 1;
    const cut = times.filter((ts) => ts <= nowTs);
    assert.deepEqual(estimateNextPost(timesOf(times), nowTs), estimateNextPost(timesOf(cut), nowTs));
  });

  it('is unknown if there is almost no history', () => {
    assert.equal(estimateNextPost(timesOf([]), START_TS), null);
    assert.equal(estimateNextPost(timesOf([START_TS - HOUR_MS, START_TS - MINUTE_MS]), START_TS), null);
  });
});
