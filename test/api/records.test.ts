// Record contents by tier and account, and caching.

import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createFeeds, createSnapshot, NOW_TS, WALLET } from './fixture.ts';
import { type Harness, startHarness } from './harness.ts';

describe('API records', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
  });
  after(() => harness.close());

  const pro = (path: string) => harness.call(path, { key: harness.keys.PRO });

  it('contain only the public prediction fields without a key', async () => {
    const a = (await harness.call('/prediction/account_a')).json.data[0];
    assert.deepEqual(Object.keys(a).sort(), [
      'display_delta',
      'event_id',
      'feeds',
      'internal_delta',
      'market_oracle_counter',
      'market_ui_counter',
      'markets',
      'real_counter',
      'seconds_remaining',
      'settlement_delta',
    ]);
    const b = (await harness.call('/prediction/account_b', { key: harness.keys.FREE })).json.data[0];
    assert.deepEqual(Object.keys(b).sort(), [
      'event_id',
      'market_oracle_counter',
      'market_ui_counter',
      'markets',
      'real_counter',
    ]);
    for (const record of [a, b]) assert.deepEqual(record.markets[0], { title: '<100', market_price: 0.1 });
  });

  it('contain fifteen posts without verdicts in the public view, regardless of the limit', async () => {
    for (const key of [undefined, harness.keys.FREE]) {
      const { json } = await harness.call('/meta/account_a/tweets?limit=50&offset=20', { key });
      assert.equal(json.limit, 15);
      assert.equal(json.offset, 0);
      assert.equal(json.data.length, 15);
      assert.equal(json.data[0].tweet_id, '10000');
      assert.ok(json.data.every((post: { is_counted: unknown }) => post.is_counted === null));
    }
  });

  it('contain the ladder of one event or of all events', async () => {
    const read = async (query: string) => {
      const { json } = await harness.call(`/signals/account_a/ladder${query}`, { key: harness.keys.PRO });
      return json.data as { event_id: number; rows: unknown[] }[];
    };
    const all = await read('');
    assert.ok(all.length > 1);
    const last = all.at(-1)!;
    assert.deepEqual(await read(`?event_id=${last.event_id}`), [last]);
    assert.deepEqual(await read('?event_id=1004'), [], 'an event that is over');
    for (const eventId of ['1234567', '2001', '9'.repeat(30)]) {
      const unknown = await harness.call(`/signals/account_a/ladder?event_id=${eventId}`, {
        key: harness.keys.PRO,
      });
      assert.equal(unknown.status, 404);
      assert.match(unknown.json.detail, /^account_a has no event \d/);
    }
    const bad = await harness.call('/signals/account_a/ladder?event_id=x', { key: harness.keys.PRO });
    assert.equal(bad.status, 422);
  });

  it('list crypto markets', async () => {
    const [record] = (await harness.call('/meta/crypto')).json.data;
    assert.equal(record.market_type, 'updown');
    assert.equal(record.seconds_remaining, 1800);
    assert.equal(record.strike, null);
    assert.deepEqual(record.tokens[0], {
      label: 'Up',
      token_id: 'up',
      price: 0.5,
      best_bid: 0.49,
      best_ask: 0.51,
    });
  });

  it('have timestamps to the second, and keep their ETag while only the clock moves', async () => {
    const first = await pro('/prediction/account_a');
    harness.clock.step(999);
    const second = await pro('/prediction/account_a');
    assert.ok(harness.clock.now() - second.json.timestamp < 1000);
    harness.clock.step(1);
    const third = await pro('/prediction/account_a');
    assert.equal(third.json.timestamp, harness.clock.now());
    assert.equal(third.json.data[0].seconds_remaining, 86_399);
    assert.match(first.headers.etag!, /^W\//);
    assert.equal(third.headers.etag, first.headers.etag);
    const headers = { 'If-None-Match': `"x", ${first.headers.etag}` };
    const unchanged = await harness.call('/prediction/account_a', { key: harness.keys.PRO, headers });
    assert.equal(unchanged.status, 304);
    assert.equal(unchanged.bytes, 0);
    assert.equal(unchanged.headers['x-ratelimit-limit'], '10000');
    const other = await harness.call('/prediction/account_a', { headers });
    assert.equal(other.status, 200);
    harness.clock.step(-1000);
  });

  it('are the same JSON when compressed', async () => {
    const plain = await pro('/prediction/account_b');
    for (const [encoding, decode] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const { bytes, header } = await fetchRaw('/api/v1/prediction/account_b', encoding);
      assert.equal(header, encoding);
      assert.deepEqual(JSON.parse(decode(bytes).toString()), plain.json);
    }
  });

  it('omit an event the moment it ends, even if the response for that second is already prepared', async () => {
    harness.clock.step(86_400_000 - 500);
    assert.equal((await pro('/meta/account_a')).json.data[0].event_id, 1001);
    harness.clock.step(500);
    assert.deepEqual(
      (await pro('/meta/account_a')).json.data.map(({ event_id }: { event_id: number }) => event_id),
      [1002, 1003],
    );
    harness.clock.step(-86_400_000);
  });

  it('distinguish a stale feed from a quiet one, and from a missing count', async () => {
    const snapshot = createSnapshot('b', { version: 5, feeds: createFeeds(NOW_TS - 120_000) });
    const events = snapshot.events.map((state) => ({
      ...state,
      counters: { ...state.counters, oracle: null },
      oracleUpdatedTs: null,
      forecast: null,
    }));
    harness.board.replace({ ...snapshot, events, activity: null });
    const record = (await pro('/meta/account_b')).json.data[0];
    assert.equal(record.market_oracle_counter, null);
    assert.equal(record.settlement_delta, null);
    assert.equal(record.internal_delta, null);
    assert.equal(record.display_delta, 3);
    assert.deepEqual(record.feeds.oracle, { updated_ts: null, age_s: null, stale: true });
    assert.equal(record.feeds.own.stale, true);
    const health = await harness.call('/health');
    assert.equal(health.status, 200);
    assert.equal(health.json.status, 'degraded');
    const prediction = (await pro('/prediction/account_b')).json.data[0];
    assert.equal(prediction.forecast, null);
    assert.equal(prediction.markets[0].model_prob, null);
    assert.deepEqual((await pro('/signals/account_b')).json.data[0].signals, []);
    const [element] = (await pro(`/portfolio/account_b?wallet=${WALLET}`)).json.data;
    assert.equal(typeof element.message, 'string');
  });

  it('call a fresh feed with an unfinished past stale and incomplete, as health does', async () => {
    harness.board.replace(createSnapshot('b', { version: 6, isPastMissing: true }));
    const { own } = (await pro('/meta/account_b')).json.data[0].feeds;
    assert.deepEqual([own.stale, own.incomplete], [true, true]);
    const health = (await harness.call('/health')).json;
    assert.deepEqual(health.feeds.account_b.own, own);
    assert.ok(health.problems.includes('account_b: backfill incomplete'));
  });

  function fetchRaw(path: string, encoding: string): Promise<{ bytes: Buffer; header: string | undefined }> {
    const headers = { 'X-API-Key': harness.keys.PRO, 'Accept-Encoding': encoding };
    return new Promise((resolve, reject) => {
      httpRequest({ host: '127.0.0.1', port: harness.port, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ bytes: Buffer.concat(chunks), header: response.headers['content-encoding'] }),
        );
      })
        .on('error', reject)
        .end();
    });
  }
});

describe('the API without data', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness({ empty: true });
  });
  after(() => harness.close());

  it('reports down, and lists nothing', async () => {
    const health = await harness.call('/health');
    assert.equal(health.status, 503);
    assert.equal(health.json.status, 'down');
    for (const path of [
      '/meta/account_a',
      '/prediction/account_b',
      '/meta/crypto',
      '/meta/account_a/tweets',
    ]) {
      assert.deepEqual((await harness.call(path)).json.data, []);
    }
    const signals = await harness.call('/signals/account_a', { key: harness.keys.PRO });
    assert.deepEqual(signals.json.data, []);
  });

  it('returns empty performance results', async () => {
    const { json } = await harness.call('/performance/overview');
    assert.deepEqual(json.error_24h, { median: null, p90: null, sample_size: 0 });
    assert.deepEqual(json.win_rate, { HIGH: null, MEDIUM: null, LOW: null });
    assert.deepEqual((await harness.call('/performance/history')).json, { data: [], annotations: [] });
  });

  it('explains an empty portfolio', async () => {
    const path = `/portfolio/account_a?wallet=${WALLET}`;
    const { json } = await harness.call(path, { key: harness.keys.PRO });
    assert.equal(json.data.length, 1);
    const [element] = json.data;
    assert.equal(element.event, null);
    assert.equal(element.prediction, null);
    assert.deepEqual(element.positions, []);
    assert.equal(element.portfolio.total_positions, 0);
    assert.equal(typeof element.message, 'string');
    assert.equal(harness.wallet.calls, 0);
  });
});
