import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { START_TS, sampleEvent } from '../../../test/store/samples.ts';
import { json, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { paceReads } from '../paced-reads.ts';
import { createTradeHistory } from './trade-history.ts';

const START_S = START_TS / 1000;
const [bucket] = sampleEvent().buckets;
const event = sampleEvent({
  buckets: Array.from({ length: 23 }, (_, i) => ({
    ...bucket!,
    conditionId: `0x${String(i).padStart(64, '0')}`,
    yesTokenId: `${i}1`,
    noTokenId: `${i}2`,
  })),
});

const row = (change: object) => ({
  proxy_wallet: '0xabc',
  side: 'BUY',
  token_id: '01',
  condition_id: event.buckets[0]!.conditionId,
  size: 12.5,
  price: 0.25,
  timestamp: START_S + 100,
  outcome: 'Yes',
  outcome_index: 0,
  transaction_hash: '0xdef',
  ...change,
});

const page = (data: unknown[], nextCursor: string | null = null) => ({
  data,
  pagination: { limit: 1000, has_more: nextCursor !== null, next_cursor: nextCursor },
});

async function readAll(replies: (url: URL) => unknown) {
  const { http, asked } = scriptHttp({ '/v2/trades': replies });
  const trades = [];
  for await (const part of createTradeHistory(http)(event, START_TS + 3_600_000, never()))
    trades.push(...part);
  return { trades, asked: asked.map(({ url }) => url.searchParams) };
}

describe('past trades', () => {
  it('of at most 20 conditions at a time are read by cursor until the window began', async () => {
    const { trades, asked } = await readAll((url) => {
      const conditions = url.searchParams.get('condition')!.split(',');
      assert.ok(conditions.length <= 20 && !url.searchParams.has('start') && !url.searchParams.has('offset'));
      if (conditions.length < 20) return page([row({ token_id: '222' })]);
      const cursor = url.searchParams.get('cursor');
      if (cursor === null) return page([row({ timestamp: START_S + 4_000 }), row({})], 'c1');
      return page(
        [row({ token_id: '02', side: 'SELL', price: '0.76' }), row({ timestamp: START_S - 1 })],
        'c2',
      );
    });
    assert.equal(asked.length, 3, 'the third page is from before the window');
    assert.deepEqual(trades, [
      { ts: START_TS + 100_000, bucket: 0, side: 'yes', taker: 'buy', price: 0.25, shares: 12.5 },
      { ts: START_TS + 100_000, bucket: 0, side: 'no', taker: 'sell', price: 0.76, shares: 12.5 },
      { ts: START_TS + 100_000, bucket: 22, side: 'no', taker: 'buy', price: 0.25, shares: 12.5 },
    ]);
  });

  it('of combinations and unreadable rows are skipped; a changed format is an error', async () => {
    const combination = row({ condition_id: '1'.repeat(62), token_id: '999' });
    const bad = [null, 'row', row({ size: -1 }), row({ price: 'high' }), row({ side: 'HOLD' })];
    const { trades } = await readAll(() => page([combination, ...bad, row({})]));
    assert.equal(trades.length, 2, 'one in each of the two requests');
    await assert.rejects(readAll(() => page(bad)));
    await assert.rejects(readAll(() => ({ trades: [] })));
    await assert.rejects(readAll(() => page([row({})], 'same')));
  });
});

describe('paced reads', () => {
  it('keep their distance, and all of them wait when the service is busy', async () => {
    const clock = createManualClock(START_TS);
    const startedAt: number[] = [];
    let refusals = 1;
    const { http } = scriptHttp({
      '/x': () => {
        startedAt.push(clock.now() - START_TS);
        return refusals-- > 0 ? json({ error: 'slow down' }, 429) : {};
      },
    });
    const paced = paceReads(http, 10, clock);
    const reads = Promise.all([1, 2].map(() => paced.getJson('/x', {}, never())));
    await clock.advanceAsync(20_000);
    await reads;
    assert.deepEqual(startedAt, [0, 5_000, 5_100]);
  });
});
