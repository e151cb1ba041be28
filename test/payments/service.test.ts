// The service with payments on and off: what it charges and serves.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { payOnce } from '../../lab/commands/pay-once.ts';
import type { DemoPayments } from '../../simulator/chain/demo-payments.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { signPayment, wrapV2 } from './signing.ts';
import { createFundedWallet, FUNDS, type PaidHarness, PRICE, startPaidHarness } from './support.ts';

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
      assert.equal(demo.balanceOf(wallet.address), FUNDS - PRICE);
    });
  }

  it('returns 401 and never 402 with payments off', async () => {
    const headers = { x402: wrapV2(demo, await signPayment(demo, await createFundedWallet(demo))) };
    for (const path of PAID_PATHS) {
      assert.equal((await free.call(`/${path}`)).status, 401);
      assert.equal((await free.call(`/${path}`, { headers })).status, 401);
    }
  });

  it('can be paid from a throw-away wallet funded by the faucet in the challenge', async () => {
    const answer = await payOnce({ url: `${url}/api/v1/signals/account_a`, privateKey: null, fetch });
    assert.equal(answer.status, 200);
    assert.equal(answer.amount, String(PRICE));
    assert.equal(demo.findTransfer(answer.transaction!)?.to, demo.payTo);
    assert.ok('data' in (answer.body as object));
  });
});
