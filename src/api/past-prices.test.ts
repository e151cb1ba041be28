import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSnapshot, NOW_TS } from '../../test/api/fixture.ts';
import { HOUR_MS } from '../domain/units.ts';
import { silentLogger } from '../runtime/logger.ts';
import { parseHistory } from '../sources/market/price-history.ts';
import { alignByHour, createPastPrices } from './past-prices.ts';

const { event } = createSnapshot('a').events[0]!;
const { startTs } = event.window;

describe('past prices', () => {
  it('are the last of each hour, per bucket, within the span alone', () => {
    const at = (ts: number, price: number) => ({ ts: startTs + ts, price });
    const first = [at(-1, 0.9), at(5, 0.1), at(10, 0.2), at(HOUR_MS, 0.3), at(3 * HOUR_MS, 0.4)];
    const span = { startTs, endTs: startTs + 2 * HOUR_MS };
    assert.deepEqual(alignByHour([first, [at(20, 0.5)]], span), [
      { ts: startTs + HOUR_MS, prices: [0.2, 0.5] },
      { ts: startTs + 2 * HOUR_MS, prices: [0.3, null] },
    ]);
  });

  it('are asked for once, again after a failure, and never for less than an hour', async () => {
    let asked = 0;
    const find = createPastPrices(async () => {
      asked += 1;
      if (asked <= event.buckets.length) throw new Error('away');
      return [{ ts: startTs + 1, price: 0.5 }];
    }, silentLogger);
    assert.deepEqual(await find(event, startTs + HOUR_MS - 1), []);
    assert.equal(asked, 0);
    assert.deepEqual(await find(event, NOW_TS), []);
    assert.deepEqual(await find(event, NOW_TS), [
      { ts: startTs + HOUR_MS, prices: event.buckets.map(() => 0.5) },
    ]);
    const before = asked;
    await find(event, NOW_TS);
    assert.equal(asked, before);
  });

  it('are read from what the market writes, and nothing else', () => {
    const history = [{ t: 1_700_000_000, p: 0.25 }, { t: 'x', p: 1 }, { t: 1, p: 7 }, null];
    assert.deepEqual(parseHistory({ history }), [{ ts: 1_700_000_000_000, price: 0.25 }]);
    assert.throws(() => parseHistory([]));
  });
});
