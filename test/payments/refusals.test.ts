import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startHarness } from '../api/harness.ts';
import { encode, type SignedPayment, signPayment, wrapV1, wrapV2 } from './signing.ts';
import {
  createFundedWallet,
  createWallet,
  FUNDS,
  type PaymentRig,
  startRig,
  type Wallet,
} from './support.ts';

type Forgery = (rig: PaymentRig, wallet: Wallet) => Promise<string>;

const CASES: [what: string, status: number, reason: RegExp, forge: Forgery][] = [
  ['text that is not base64', 400, /not a base64/, async () => '%%%garbage'],
  ['an unknown protocol version', 400, /x402Version/, async () => encode({ x402Version: 3 })],
  [
    'a payment without authorization',
    400,
    /authorization is missing/,
    async ({ demo }) => wrapV2(demo, { signature: `0x${'11'.repeat(65)}` } as SignedPayment),
  ],
  [
    'a nonce that is not 32 bytes',
    400,
    /nonce/,
    async ({ demo }, wallet) => {
      const { signature, authorization } = await signPayment(demo, wallet);
      return wrapV2(demo, { signature, authorization: { ...authorization, nonce: '0x1234' } });
    },
  ],
  [
    'a lowered price in the accepted terms',
    402,
    /terms/,
    async ({ demo }, wallet) =>
      wrapV2(demo, await signPayment(demo, wallet, { amount: '1' }), { amount: '1' }),
  ],
  [
    'a payer without funds',
    402,
    /insufficient_balance/,
    async ({ demo }) => wrapV2(demo, await signPayment(demo, createWallet())),
  ],
  [
    'another network',
    402,
    /terms/,
    async ({ demo }, wallet) => wrapV1(await signPayment(demo, wallet), 'base'),
  ],
];

describe('invalid payments', () => {
  let rig: PaymentRig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig.close());

  for (const [what, status, reason, forge] of CASES)
    it(`get ${status} for ${what}, and nothing is charged or stored`, async () => {
      const wallet = await createFundedWallet(rig.demo);
      const headers = { x402: await forge(rig, wallet) };
      const response = await fetch(`${rig.server.url}/paid`, { headers });
      const { detail } = (await response.json()) as { detail: string };
      assert.equal(response.status, status, detail);
      assert.match(detail, reason);
      assert.equal(response.headers.has('payment-required'), status === 402);
      assert.equal(rig.demo.balanceOf(wallet.address), FUNDS);
      assert.deepEqual(await rig.store.payments.list({ limit: 1, offset: 0 }), []);
    });

  it('use a separate allowance of 100 per hour', async () => {
    const harness = await startHarness({ payments: rig.server.gate });
    try {
      const headers = { x402: encode({ x402Version: 2 }) };
      const send = (from: string) => harness.call('/signals/account_a', { headers, from });
      for (let i = 0; i < 100; i++) assert.equal((await send('127.0.0.5')).status, 400);
      assert.equal((await send('127.0.0.5')).status, 429);
      assert.equal((await send('127.0.0.6')).status, 400);
      assert.equal((await harness.call('/health', { from: '127.0.0.5' })).status, 200);
    } finally {
      await harness.close();
    }
  });
});
