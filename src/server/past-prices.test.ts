import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSnapshot, NOW_TS } from '../../test/api/fixture.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/units.ts';
import { createManualClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { parseHistory } from '../sources/market/price-history.ts';
import { alignByHour, createPastPrices } from './past-prices.ts';

const { event } = createSnapshot('a').events[0]!;
const { startTs } = event.window;
const clock = createManualClock(NOW_TS);

describe('past prices', () => {
  it("are each bucket's last price in each hour of the span", () => {
    const at = (ts: number, price: number) => ({ ts: startTs + ts, price });
    const first = [at(-1, 0.9), at(5, 0.1), at(10, 0.2), at(HOUR_MS, 0.3), at(3 * HOUR_MS, 0.4)];
    const span = { startTs, endTs: startTs + 2 * HOUR_MS };
    assert.deepEqual(alignByHour([first, [at(20, 0.5)]], span), [
      { ts: startTs + HOUR_MS, prices: [0.2, 0.5] },
      { ts: startTs + 2 * HOUR_MS, prices: [0.3, null] },
    ]);
  });

  it('are fetched once, retried a minute after a failure, and never fetched for less than an hour of history', async () => {
    let asked = 0;
    const find = createPastPrices(
      async () => {
        asked += 1;
        if (asked <= event.buckets.length) throw new Error('unavailable');
        return [{ ts: startTs + 1, price: 0.5 }];
      },
      silentLogger,
      clock,
    );
    assert.deepEqual(await find(event, startTs + HOUR_MS - 1, NOW_TS), { points: [], problem: null });
    assert.equal(asked, 0);
    for (const nowTs of [NOW_TS, NOW_TS + MINUTE_MS - 1]) {
      const { points, problem } = await find(event, NOW_TS, nowTs);
      assert.deepEqual(points, []);
      assert.match(problem!, /could not be read/, 'the problem is reported');
    }
    assert.equal(asked, event.buckets.length);
    assert.deepEqual(await find(event, NOW_TS, NOW_TS + MINUTE_MS), {
      points: [{ ts: startTs + HOUR_MS, prices: event.buckets.map(() => 0.5) }],
      problem: null,
    });
    const before = asked;
    await find(event, NOW_TS, NOW_TS + MINUTE_MS);
    assert.equal(asked, before);
  });

  it('do not delay a response, which reports that they are loading; the next response includes them', async () => {
    const slow = Promise.withResolvers<{ ts: number; price: number }[]>();
    const find = createPastPrices(() => slow.promise, silentLogger, clock);
    const first = find(event, NOW_TS, NOW_TS);
    clock.advance(1_000);
    assert.match((await first).problem!, /loading/);
    slow.resolve([{ ts: startTs + 1, price: 0.5 }]);
    const { points, problem } = await find(event, NOW_TS, NOW_TS);
    assert.deepEqual([points.length, problem], [1, null]);
  });

  it('cause the same number of market requests for any requested end time', async () => {
    let asked = 0;
    const find = createPastPrices(
      async () => {
        asked += 1;
        return [1, 2, 3].map((hour) => ({ ts: startTs + hour * HOUR_MS - 1, price: hour / 10 }));
      },
      silentLogger,
      clock,
    );
    for (let i = 0; i < 500; i++) await find(event, NOW_TS - i, NOW_TS);
    assert.equal(asked, event.buckets.length);
    assert.deepEqual(
      (await find(event, startTs + 2 * HOUR_MS, NOW_TS)).points.map(({ prices }) => prices[0]),
      [0.1, 0.2],
    );
  });

  it('are fetched for at most 120 events an hour', async () => {
    let asked = 0;
    const find = createPastPrices(
      async () => {
        asked += 1;
        return [];
      },
      silentLogger,
      clock,
    );
    const walk = async (nowTs: number) => {
      asked = 0;
      for (let i = 0; i < 500; i++) await find({ ...event, eventId: i }, NOW_TS, nowTs);
      return asked / event.buckets.length;
    };
    assert.equal(await walk(NOW_TS), 120);
    assert.equal(await walk(NOW_TS + HOUR_MS), 120);
  });

  it("are parsed only from the market's own format", () => {
    const history = [{ t: 1_700_000_000, p: 0.25 }, { t: 'x', p: 1 }, { t: 1, p: 7 }, null];
    assert.deepEqual(parseHistory({ history }), [{ ts: 1_700_000_000_000, price: 0.25 }]);
    assert.throws(() => parseHistory([]));
  });
});
