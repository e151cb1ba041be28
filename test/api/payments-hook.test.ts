// Payments in the request pipeline, tested with a payment gate that only records its calls.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { PaymentGate } from '../../src/payments/payment-gate.ts';
import { SourceError } from '../../src/runtime/errors.ts';
import { WALLET } from './fixture.ts';
import { type Harness, startHarness } from './harness.ts';

let harness: Harness;
let notes: string[] = [];

function createGate(overrides: Partial<PaymentGate> = {}): PaymentGate {
  return {
    challenge: (route) => {
      notes.push(`challenge ${route.pattern} ${route.priceUsd}`);
      return {
        headers: { 'PAYMENT-REQUIRED': 'terms' },
        body: { detail: 'pay', x402Version: 1, accepts: [] },
      };
    },
    findPaymentHeader: (headers) => (typeof headers.x402 === 'string' ? headers.x402 : null),
    async begin(header) {
      notes.push(`begin ${header}`);
      return {
        kind: 'attempt',
        async settle(response) {
          notes.push('settle');
          return { kind: 'paid', response, headers: { 'PAYMENT-RESPONSE': 'receipt' } };
        },
      };
    },
    totals: async () => [],
    ...overrides,
  };
}

async function start(gate: PaymentGate = createGate(), trustedProxyHops = 0): Promise<void> {
  notes = [];
  harness = await startHarness({ payments: gate, settings: { trustedProxyHops } });
}

const PAID = { headers: { x402: 'coin' } };

describe('paid calls', () => {
  afterEach(() => harness.close());

  it('are requested from callers without a key only where PRO is required', async () => {
    await start();
    const reply = await harness.call('/signals/account_a');
    assert.equal(reply.status, 402);
    assert.equal(reply.headers['payment-required'], 'terms');
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.json.detail, 'pay');
    assert.deepEqual(notes, ['challenge /api/v1/signals/account_a 0.01']);
    assert.equal((await harness.call('/signals/account_a', { key: harness.keys.FREE })).status, 401);
    assert.equal((await harness.call('/signals/account_a', { key: 'bad', ...PAID })).status, 401);
    assert.equal((await harness.call('/prediction/account_a')).status, 200);
    assert.equal((await harness.call('/usage/stats', PAID)).status, 401);
    assert.equal(notes.length, 1);
  });

  it('use the forwarded protocol in the resource URL only if a trusted proxy set it', async () => {
    for (const [hops, protocol] of [
      [0, 'http'],
      [1, 'https'],
    ] as const) {
      const urls: string[] = [];
      const challenge: PaymentGate['challenge'] = (route) => {
        urls.push(route.url);
        return { headers: {}, body: {} };
      };
      await start(createGate({ challenge }), hops);
      await harness.call('/signals/account_a', { headers: { 'X-Forwarded-Proto': 'https' } });
      assert.equal(new URL(urls[0]!).protocol, `${protocol}:`);
      if (hops === 0) await harness.close();
    }
  });

  it('are settled once the response is ready, and return a receipt', async () => {
    await start();
    const reply = await harness.call('/signals/account_a', PAID);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['payment-response'], 'receipt');
    assert.match(reply.headers['cache-control']!, /private/);
    assert.deepEqual(notes, ['begin coin', 'settle']);
  });

  it('return the PRO view on public endpoints, even with a FREE key', async () => {
    await start();
    const paid = await harness.call('/prediction/account_a', PAID);
    assert.ok(paid.json.data[0].forecast);
    const free = await harness.call('/meta/account_a/tweets?limit=2', { ...PAID, key: harness.keys.FREE });
    assert.equal(free.json.data.length, 2);
    assert.equal(typeof free.json.data[0].is_counted, 'boolean');
  });

  it('use the allowance of the address, even with a FREE key that has none left', async () => {
    await start();
    const key = harness.keys.FREE;
    for (let i = 0; i < 100; i++) await harness.call('/meta/account_a', { key });
    assert.equal((await harness.call('/meta/account_a', { key })).status, 429);
    const paid = await harness.call('/signals/account_a', { ...PAID, key });
    assert.equal(paid.status, 200);
    assert.equal(paid.headers['x-ratelimit-remaining'], '9999');
  });

  it('cost nothing when they fail', async () => {
    await start();
    assert.equal((await harness.call('/signals/account_a?bankroll=0', PAID)).status, 422);
    assert.equal((await harness.call('/portfolio/account_a?wallet=x', PAID)).status, 400);
    harness.wallet.error = new SourceError('unavailable', { isRetryable: true });
    assert.equal((await harness.call(`/portfolio/account_a?wallet=${WALLET}`, PAID)).status, 503);
    assert.ok(!notes.includes('settle'));
  });

  it('return no response data if settlement fails', async () => {
    const later = {
      ...{ kind: 'rejection' as const, status: 503 as const },
      ...{ headers: { 'Retry-After': '5' }, body: { detail: 'later' } },
    };
    await start(createGate({ begin: async () => ({ kind: 'attempt', settle: async () => later }) }));
    const reply = await harness.call('/signals/account_a', PAID);
    assert.equal(reply.status, 503);
    assert.equal(reply.headers['retry-after'], '5');
    assert.deepEqual(reply.json, { detail: 'later' });
  });

  it('never return 304', async () => {
    await start();
    const first = await harness.call('/prediction/account_a', { key: harness.keys.PRO });
    const headers = { ...PAID.headers, 'If-None-Match': first.headers.etag! };
    assert.equal((await harness.call('/prediction/account_a', { headers })).status, 200);
  });
});
