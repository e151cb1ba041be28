// Rate limits over a rolling hour, per key and per address.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { type CallOptions, type Harness, type HarnessOptions, startHarness } from './harness.ts';

let harness: Harness;

async function start(options: HarnessOptions = {}): Promise<Harness> {
  harness = await startHarness(options);
  return harness;
}

/** Sends requests concurrently, because order does not affect how many pass. */
async function repeat(times: number, path: string, options?: CallOptions): Promise<number[]> {
  const replies = await Promise.all(Array.from({ length: times }, () => harness.call(path, options)));
  return replies.map(({ status }) => status);
}

const count = (statuses: number[], status: number) => statuses.filter((own) => own === status).length;

describe('rate limits', () => {
  afterEach(() => harness.close());

  it('allow 100 requests, and the 101st response says when to retry', async () => {
    const { clock, call } = await start();
    const first = await call('/meta/account_a');
    assert.equal(first.headers['x-ratelimit-limit'], '100');
    assert.equal(first.headers['x-ratelimit-remaining'], '99');
    assert.equal(first.headers['x-ratelimit-reset'], String((clock.now() + HOUR_MS) / 1000));
    assert.equal(first.headers['ratelimit-policy'], '"public-meta";q=100;w=3600');
    assert.equal(first.headers.ratelimit, '"public-meta";r=99;t=3600');
    clock.step(10 * MINUTE_MS);
    assert.equal(count(await repeat(99, '/meta/account_b'), 200), 99);
    const refused = await call('/meta/account_a');
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['retry-after'], '3000');
    assert.deepEqual(refused.json, { detail: 'Rate limit exceeded. Try again in 3000 seconds.' });
    assert.equal(refused.headers['x-ratelimit-remaining'], '0');
  });

  it('count endpoints 1 and 2 separately from all others', async () => {
    await start();
    await repeat(100, '/meta/account_a');
    assert.equal((await harness.call('/meta/account_b')).status, 429);
    assert.equal((await harness.call('/meta/crypto')).status, 200);
    assert.equal(count(await repeat(100, '/meta/crypto'), 200), 99);
    assert.equal((await harness.call('/performance/overview')).status, 429);
  });

  it('never apply to /health', async () => {
    await start();
    assert.equal(count(await repeat(150, '/health'), 200), 150);
    assert.equal((await harness.call('/health')).headers['x-ratelimit-limit'], undefined);
  });

  it('count requests with any response status, except those rejected by the limit', async () => {
    await start();
    await repeat(50, '/nothing');
    await repeat(50, '/meta/account_a/tweets?limit=0');
    assert.equal((await harness.call('/meta/crypto')).status, 429);
    await repeat(20, '/meta/crypto');
    harness.clock.step(HOUR_MS);
    assert.equal((await harness.call('/meta/crypto')).headers['x-ratelimit-remaining'], '99');
  });

  it('apply per key across addresses', async () => {
    await start();
    const { key } = await harness.issue('FREE');
    await repeat(50, '/meta/account_a', { key, from: '127.0.0.2' });
    await repeat(50, '/meta/crypto', { key, from: '127.0.0.3' });
    assert.equal((await harness.call('/meta/account_a', { key })).status, 429);
    assert.equal((await harness.call('/meta/account_a', { key: harness.keys.FREE })).status, 200);
    assert.equal((await harness.call('/meta/account_a')).status, 200);
  });

  it('apply per address without a key', async () => {
    await start();
    await repeat(100, '/meta/account_a', { from: '127.0.0.2' });
    assert.equal((await harness.call('/meta/account_a', { from: '127.0.0.2' })).status, 429);
    assert.equal((await harness.call('/meta/account_a', { from: '127.0.0.3' })).status, 200);
  });

  it('count an unknown key against its address', async () => {
    await start();
    await repeat(100, '/meta/account_a/tweets', { key: 'tc_pro_wrong' });
    assert.equal((await harness.call('/meta/account_a/tweets', { key: 'tc_pro_other' })).status, 429);
    assert.equal((await harness.call('/meta/account_a/tweets')).status, 429);
  });

  it('trust X-Forwarded-For only as far as configured', async () => {
    await start();
    await repeat(100, '/meta/account_a', { headers: { 'X-Forwarded-For': '203.0.113.1' } });
    const spoofed = { headers: { 'X-Forwarded-For': '203.0.113.2' } };
    assert.equal((await harness.call('/meta/account_a', spoofed)).status, 429);
    await harness.close();

    await start({ settings: { trustedProxyHops: 1 } });
    const behind = (list: string) => ({ headers: { 'X-Forwarded-For': list } });
    await repeat(100, '/meta/account_a', behind('9.9.9.9, 203.0.113.1'));
    assert.equal((await harness.call('/meta/account_a', behind('8.8.8.8, 203.0.113.1'))).status, 429);
    assert.equal((await harness.call('/meta/account_a', behind('203.0.113.2'))).status, 200);
    await repeat(99, '/meta/account_a', behind('2001:db8:1:2::1'));
    assert.equal((await harness.call('/meta/account_a', behind('2001:db8:1:2:ffff::9'))).status, 200);
    assert.equal((await harness.call('/meta/account_a', behind('2001:db8:1:2:abcd::9'))).status, 429);
    assert.equal((await harness.call('/meta/account_a', behind('2001:db8:1:3::1'))).status, 200);
  });
});
