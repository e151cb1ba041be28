// Tests the client's webhook signature check against the service and the reference implementation.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../packages/client-js/src/index.ts';
import { createWebhookSecret, signWebhook } from '../../src/alerts/delivery/send-alert.ts';

const NOW_TS = 1_790_000_000_000;
const SECRET = createWebhookSecret();
const BODY = JSON.stringify({ type: 'oracle.stale', timestamp: NOW_TS, account: 'account_a', data: {} });

function headersFor(atTs = NOW_TS): Record<string, string> {
  const timestampS = Math.floor(atTs / 1000);
  return {
    'Webhook-Id': 'msg_1',
    'Webhook-Timestamp': String(timestampS),
    'Webhook-Signature': signWebhook(SECRET, 'msg_1', timestampS, BODY),
  };
}

const verify = (headers: Record<string, string> | Headers, body = BODY, secret = SECRET) =>
  verifyWebhook(secret, headers, body, { nowTs: NOW_TS });
const signedBy = (signature: string) => ({ ...headersFor(), 'Webhook-Signature': signature });

it("verifyWebhook accepts the service's signature, the reference implementation's, and one of several", async () => {
  const ours = headersFor();
  const theirs = new Webhook(SECRET).sign('msg_1', new Date(NOW_TS), BODY);
  const rotated = `v1,AAAA v2,xyz ${ours['Webhook-Signature']}`;
  for (const headers of [ours, new Headers(ours), signedBy(theirs), signedBy(rotated)])
    assert.equal((await verify(headers)).type, 'oracle.stale');
});

it('verifyWebhook rejects other bodies, other secrets, old and future deliveries, and missing headers', async () => {
  await assert.rejects(verify(headersFor(), `${BODY} `), /not signed/);
  await assert.rejects(verify(headersFor(), BODY, createWebhookSecret()), /not signed/);
  await assert.rejects(verify(signedBy('v1,***')), /not signed/);
  await assert.rejects(verify(headersFor(NOW_TS - 301_000)), /too old/);
  await assert.rejects(verify(headersFor(NOW_TS + 301_000)), /future/);
  await assert.rejects(verify({}), /webhook-id is missing/);
});
