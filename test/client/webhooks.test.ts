// Tests the client's webhook signature check against the service and the reference implementation.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../packages/client-js/src/index.ts';
import { createWebhookSecret, signWebhook } from '../../src/alerts/delivery/send-alert.ts';

const NOW_TS = 1_790_000_000_000;
const SECRET = createWebhookSecret();
const BODY = JSON.stringify({
  type: 'oracle.stale',
  timestamp: NOW_TS,
  account: 'account_a',
  data: { updated_ts: null },
});

function headersFor(body = BODY, secret = SECRET, atTs = NOW_TS): Record<string, string> {
  const timestampS = Math.floor(atTs / 1000);
  return {
    'Webhook-Id': 'msg_1',
    'Webhook-Timestamp': String(timestampS),
    'Webhook-Signature': signWebhook(secret, 'msg_1', timestampS, body),
  };
}

describe('verifyWebhook', () => {
  it("accepts the service's signature from a Headers object or a plain object", async () => {
    const headers = headersFor();
    const alert = await verifyWebhook(SECRET, headers, BODY, { nowTs: NOW_TS });
    assert.equal(alert.type, 'oracle.stale');
    assert.deepEqual(await verifyWebhook(SECRET, new Headers(headers), BODY, { nowTs: NOW_TS }), alert);
  });

  it('agrees with the reference implementation', async () => {
    const date = new Date(NOW_TS);
    const signature = new Webhook(SECRET).sign('msg_1', date, BODY);
    const headers = { ...headersFor(), 'Webhook-Signature': signature };
    await verifyWebhook(SECRET, headers, BODY, { nowTs: NOW_TS });
  });

  it('accepts one valid signature among several, as during secret rotation', async () => {
    const headers = headersFor();
    headers['Webhook-Signature'] = `v1,AAAA v2,xyz ${headers['Webhook-Signature']}`;
    await verifyWebhook(SECRET, headers, BODY, { nowTs: NOW_TS });
  });

  it('rejects other bodies, other secrets, old and future deliveries, and missing headers', async () => {
    const at = { nowTs: NOW_TS };
    await assert.rejects(verifyWebhook(SECRET, headersFor(), `${BODY} `, at), /not signed/);
    await assert.rejects(verifyWebhook(createWebhookSecret(), headersFor(), BODY, at), /not signed/);
    await assert.rejects(
      verifyWebhook(SECRET, headersFor(BODY, SECRET, NOW_TS - 301_000), BODY, at),
      /too old/,
    );
    await assert.rejects(
      verifyWebhook(SECRET, headersFor(BODY, SECRET, NOW_TS + 301_000), BODY, at),
      /future/,
    );
    await assert.rejects(verifyWebhook(SECRET, {}, BODY, at), /webhook-id is missing/);
    const odd = { ...headersFor(), 'Webhook-Signature': 'v1,***' };
    await assert.rejects(verifyWebhook(SECRET, odd, BODY, at), /not signed/);
  });
});
