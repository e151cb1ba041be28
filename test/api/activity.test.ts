// What happened, by tier, since a time given in several forms; and errors that name what is known.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sampleAdvice } from '../store/samples.ts';
import { NOW_TS } from './fixture.ts';
import { type Harness, startHarness } from './harness.ts';

const MINUTE_MS = 60_000;
let harness: Harness;
before(async () => {
  harness = await startHarness();
  const { store, board } = harness;
  await store.events.upsert(board.find('a')!.events.map(({ event }) => event));
  const settled = {
    eventId: 1004,
    accountId: 'a',
    finalCount: 131,
    winningLabel: '120-139',
    source: 'oracle',
  };
  await store.settlements.record({ ...settled, settledTs: NOW_TS - 10 * MINUTE_MS });
  await store.happenings.put([
    sampleAdvice({ eventId: 1001, bucketLabel: '120-139', fromTs: NOW_TS - 3 * MINUTE_MS }),
    sampleAdvice({
      eventId: 1004,
      bucketLabel: '120-139',
      fromTs: NOW_TS - 90 * MINUTE_MS,
      endedTs: NOW_TS - 80 * MINUTE_MS,
    }),
    ...[
      { eventId: 1001, fromTs: NOW_TS - 5 * MINUTE_MS },
      { eventId: 1004, fromTs: NOW_TS - 5 * MINUTE_MS },
      { eventId: 1004, fromTs: NOW_TS - 20 * MINUTE_MS },
    ].map((difference) => ({
      ...{ accountId: 'a', kind: 'counts' as const, bucketLabel: '', ...difference },
      ...{ endedTs: null, content: { real: 80, oracle: 76 } },
    })),
  ]);
});
after(() => harness.close());

async function list(query: string, key: string | null = harness.keys.PRO) {
  const { json, status } = await harness.call(`/activity?account=account_a&limit=500${query}`, {
    key: key ?? undefined,
  });
  assert.equal(status, 200, JSON.stringify(json));
  const lines: string[] = json.data.map(
    (item: Record<string, unknown>) => `${item.event_id} ${item.kind}: ${item.text}`,
  );
  return { ...json, lines };
}

const SETTLED = [
  '1004 settlement: Settled at 131: 120-139 won',
  // The one that began after the settlement is not listed.
  '1004 counts_differ: Counts differ: ours 80, oracle 76',
  '1004 advice_ended: Advice on Yes 120-139 ended',
  '1004 advice: Advised Yes 120-139 at 57¢ or less, won',
];
const COUNTS = '1001 counts_differ: Counts differ: ours 80, oracle 76';

describe('activity', () => {
  it('lists everything for PRO; for others no advice on open events', async () => {
    const pro = await list('&since=1d');
    assert.deepEqual(pro.lines, [
      '1001 advice: Advised Yes 120-139 at 57¢ or less, now 40¢',
      COUNTS,
      ...SETTLED,
    ]);
    assert.equal(pro.data.length, pro.total);
    assert.deepEqual(
      pro.last_advice.map(({ outcome }: { outcome: string }) => outcome),
      ['active', 'won'],
    );
    for (const key of [harness.keys.FREE, null]) {
      const { lines, last_advice } = await list('&since=1d', key);
      assert.deepEqual(lines, [COUNTS, ...SETTLED]);
      assert.deepEqual(
        last_advice.map(({ outcome }: { outcome: string }) => outcome),
        ['won'],
      );
    }
  });

  it('starts at a time in milliseconds, an ISO time or a span, and continues from next_since', async () => {
    const sinceTs = NOW_TS - 4 * MINUTE_MS;
    for (const since of [sinceTs, new Date(sinceTs).toISOString(), '4m', '240s']) {
      const { lines, since: read } = await list(`&since=${since}`);
      assert.deepEqual([lines.length, read], [1, sinceTs], String(since));
    }
    const { next_since } = await list('&since=1d');
    assert.deepEqual((await list(`&since=${next_since}`)).data, []);
    const { status, json } = await harness.call('/activity?since=yesterday', { key: harness.keys.PRO });
    assert.deepEqual([status, json.detail[0].loc], [422, ['query', 'since']]);
  });

  it("is part of an event's history for PRO", async () => {
    const path = '/history/account_a/1004';
    const { json } = await harness.call(path, { key: harness.keys.PRO });
    assert.deepEqual(
      json.data.advice.map(({ sentence }: { sentence: string }) => sentence),
      ['Yes 120-139 at 57¢ or less, won'],
    );
    assert.equal('advice' in (await harness.call(path)).json.data, false);
  });
});

describe('a path that does not exist', () => {
  it('names the followed accounts if only the account is unknown', async () => {
    const detail = 'Account someone is not followed; followed: account_a, account_b';
    for (const path of [
      '/meta/someone',
      '/meta/someone/tweets',
      '/history/someone/1001',
      '/portfolio/someone/rebalancing',
    ])
      assert.deepEqual((await harness.call(path)).json, { detail }, path);
    for (const path of [
      '/nothing',
      '/meta/account_a/nothing',
      '/portfolio/account_b/rebalancing',
      '//someone',
    ])
      assert.deepEqual((await harness.call(path)).json, { detail: 'Not Found' }, path);
  });
});

describe('the list of trades', () => {
  it('counts those over the limit', async () => {
    const { json } = await harness.call('/signals?limit=1', { key: harness.keys.PRO });
    assert.equal(json.data.length, 1);
    assert.ok(json.total > 1);
  });
});
