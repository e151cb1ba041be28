// The service with payments on and off: what it charges and serves, and that callers cannot avoid payment.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { payOnce } from '../../lab/commands/pay-once.ts';
import type { DemoPayments } from '../../simulator/chain/demo-payments.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { signPayment, wrapV2 } from './signing.ts';
import { createFundedWallet, type PaidHarness, PRICE, startPaidHarness } from './support.ts';

const WALLET = '0x00000000000000000000000000000000000000aa';
const PAID_PATHS = [
  '/api/v1/signals/account_a',
  '/api/v1/signals/account_b',
  `/api/v1/portfolio/account_a?wallet=${WALLET}`,
  `/api/v1/portfolio/account_b?wallet=${WALLET}`,
  `/api/v1/portfolio/account_a/rebalancing?wallet=${WALLET}&bankroll=100`,
];

describe('the service with payments', () => {
  let paid: PaidHarness;
  let free: Harness;
  let demo: DemoPayments;
  let url: string;

  before(async () => {
    paid = await startPaidHarness();
    free = await startHarness();
    ({ demo, url } = paid);
  });
  after(async () => {
    await paid.close();
    await free.close();
  });

  for (const path of PAID_PATHS) {
    it(`requires payment on ${path.split('?')[0]}, and @x402/fetch buys it`, async () => {
      const asked = await fetch(url + path);
      assert.equal(asked.status, 402);
      const wallet = await createFundedWallet(demo);
      const client = new x402Client().register('eip155:84532', new ExactEvmScheme(wallet.account));
      const answer = await wrapFetchWithPayment(fetch, client)(url + path);
      assert.equal(answer.status, 200, await answer.clone().text());
      assert.ok(Array.isArray(((await answer.json()) as { data: unknown }).data));
      assert.ok(answer.headers.has('payment-response') && answer.headers.has('x-payment-response'));
      assert.equal(await demo.balanceOf(wallet.address), 1_000_000n - PRICE);
    });
  }

  it('returns 401 and never 402 with payments off', async () => {
    const headers = { x402: wrapV2(demo, await signPayment(demo, await createFundedWallet(demo))) };
    for (const path of PAID_PATHS) {
      assert.equal((await free.call(`/${path}`)).status, 401);
      assert.equal((await free.call(`/${path}`, { headers })).status, 401);
    }
  });

  it('serves public endpoints without payment, and endpoints 4 to 7 in the public view', async () => {
    for (const path of [
      '/api/v1/meta/account_a',
      '/api/v1/prediction/account_a',
      '/api/v1/meta/account_b/tweets',
    ]) {
      const response = await fetch(url + path);
      assert.equal(response.status, 200);
      assert.equal(response.headers.has('payment-response'), false);
    }
  });

  it('charges for the PRO view if a payment is sent to a public endpoint', async () => {
    const wallet = await createFundedWallet(demo);
    const headers = { 'X-PAYMENT': wrapV2(demo, await signPayment(demo, wallet)) };
    const response = await fetch(`${url}/api/v1/meta/account_a/tweets?limit=50&offset=0`, { headers });
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { limit: number }).limit, 50);
    assert.equal(await demo.balanceOf(wallet.address), 1_000_000n - PRICE);
  });

  it('does not charge a call with bad parameters or an unknown key', async () => {
    const wallet = await createFundedWallet(demo);
    const x402 = wrapV2(demo, await signPayment(demo, wallet));
    assert.equal(
      (await fetch(`${url}/api/v1/signals/account_a?bankroll=0`, { headers: { x402 } })).status,
      422,
    );
    assert.equal(
      (await fetch(`${url}/api/v1/portfolio/account_a?wallet=0x1`, { headers: { x402 } })).status,
      400,
    );
    const headers = { x402, 'X-API-Key': 'tc_pro_unknown' };
    assert.equal((await fetch(`${url}/api/v1/signals/account_a`, { headers })).status, 401);
    assert.equal(await demo.balanceOf(wallet.address), 1_000_000n);
    assert.equal((await fetch(`${url}/api/v1/signals/account_a`, { headers: { x402 } })).status, 200);
  });

  it('can be paid from a throw-away wallet funded by the faucet in the challenge', async () => {
    const answer = await payOnce({ url: `${url}/api/v1/signals/account_a`, privateKey: null, fetch });
    assert.equal(answer.status, 200);
    assert.equal(answer.amount, String(PRICE));
    assert.equal(demo.chain.find(answer.transaction!)?.succeeded, true);
    assert.ok('data' in (answer.body as object));
  });

  const TRICKS = [
    'HEAD /api/v1/signals/account_a',
    'GET http://evil.example/api/v1/signals/account_a',
    'HEAD http://evil.example/api/v1/signals/account_a',
    'GET //api/v1/signals/account_a',
    'GET /api/v1//signals/account_a',
    'GET /api/v1/signals/account_a/',
    'GET /api/v1/signals/account_a//',
    'GET /api/v1/signals/account%5Fa',
    'GET /api/v1/%73ignals/account_a',
    'GET /API/V1/SIGNALS/ACCOUNT_A',
    'GET /api/v1/Signals/account_a',
    'GET /api/v1/x/../signals/account_a',
    'GET /api/v1/./signals/account_a',
    'GET /api/v1/signals/account_a;v=1',
    'GET /api/v1/signals/account_a%00',
    'GET /api/v1/signals/account_a#frag',
    'GET \\api\\v1\\signals\\account_a',
    'POST /api/v1/signals/account_a',
    'OPTIONS /api/v1/signals/account_a',
  ];
  for (const trick of TRICKS) {
    it(`does not serve ${trick} unpaid`, async () => {
      const answer = await sendRaw(url, trick);
      const status = Number(answer.split(' ')[1]);
      assert.ok(status === 204 || status >= 400, answer);
      assert.equal(answer.includes('"data"'), false, answer);
    });
  }
});

/** Sends a request line unchanged; fetch would normalise it. */
function sendRaw(url: string, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}
