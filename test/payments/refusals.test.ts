import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { encode, type SignedPayment, signPayment, wrapV1, wrapV2 } from './signing.ts';
import {
  createFundedWallet,
  createWallet,
  type PaymentRig,
  PRICE,
  startRig,
  type Wallet,
} from './support.ts';

const nowS = () => Math.floor(Date.now() / 1000);
const STRANGER = '0x00000000000000000000000000000000000000aa';

type Forgery = (rig: PaymentRig, wallet: Wallet) => Promise<string>;

function withAuthorization(payment: SignedPayment, change: Record<string, string>): SignedPayment {
  return { ...payment, authorization: { ...payment.authorization, ...change } };
}

const FORGERIES: [string, number, RegExp, Forgery][] = [
  ['text that is not base64', 400, /not a base64/, async () => '%%%garbage'],
  ['base64 of other data', 400, /not a base64-encoded JSON object/, async () => encode([1, 2])],
  ['an unknown protocol version', 400, /x402Version/, async () => encode({ x402Version: 3 })],
  [
    'a payment without authorization',
    400,
    /authorization/,
    async ({ demo }) => wrapV2(demo, { signature: `0x${'11'.repeat(65)}` } as never),
  ],
  [
    'a nonce that is not 32 bytes',
    400,
    /nonce/,
    async ({ demo }, wallet) =>
      wrapV2(demo, withAuthorization(await signPayment(demo, wallet), { nonce: '0x1234' })),
  ],
  [
    'an amount raised after signing',
    402,
    /amount/,
    async ({ demo }, wallet) =>
      wrapV2(demo, withAuthorization(await signPayment(demo, wallet), { value: '20000' })),
  ],
  [
    'a correctly signed amount that is too small',
    402,
    /amount/,
    async ({ demo }, wallet) => wrapV2(demo, await signPayment(demo, wallet, { value: 1n })),
  ],
  [
    'a lowered price in the accepted terms',
    402,
    /terms/,
    async ({ demo }, wallet) => wrapV2(demo, await signPayment(demo, wallet, { value: 1n }), { amount: '1' }),
  ],
  [
    'a small amount with the displayed amount raised to the price',
    402,
    /signature/,
    async ({ demo }, wallet) =>
      wrapV2(
        demo,
        withAuthorization(await signPayment(demo, wallet, { value: 1n }), { value: String(PRICE) }),
      ),
  ],
  [
    'a correctly signed payment to another recipient',
    402,
    /recipient/,
    async ({ demo }, wallet) => wrapV2(demo, await signPayment(demo, wallet, { to: STRANGER })),
  ],
  [
    'another recipient with the displayed recipient set to ours',
    402,
    /signature/,
    async ({ demo }, wallet) =>
      wrapV2(demo, withAuthorization(await signPayment(demo, wallet, { to: STRANGER }), { to: demo.payTo })),
  ],
  [
    'a validity extended after signing',
    402,
    /signature/,
    async ({ demo }, wallet) =>
      wrapV2(
        demo,
        withAuthorization(await signPayment(demo, wallet, { validBefore: nowS() - 10 }), {
          validBefore: String(nowS() + 1000),
        }),
      ),
  ],
  [
    'a correctly signed, expired authorisation',
    402,
    /expired/,
    async ({ demo }, wallet) => wrapV2(demo, await signPayment(demo, wallet, { validBefore: nowS() - 1 })),
  ],
  [
    'an authorisation that is not yet valid',
    402,
    /not yet valid/,
    async ({ demo }, wallet) =>
      wrapV2(demo, await signPayment(demo, wallet, { validAfter: nowS() + 500, validBefore: nowS() + 900 })),
  ],
  [
    'a changed signature',
    402,
    /signature/,
    async ({ demo }, wallet) => {
      const payment = await signPayment(demo, wallet);
      const tail = payment.signature.endsWith('1b') ? '1c' : '1b';
      return wrapV2(demo, { ...payment, signature: `0x${payment.signature.slice(2, -2)}${tail}` });
    },
  ],
  [
    "another wallet's signature",
    402,
    /signature/,
    async ({ demo }, wallet) =>
      wrapV2(demo, withAuthorization(await signPayment(demo, createWallet()), { from: wallet.address })),
  ],
  [
    'a payer without funds',
    402,
    /insufficient_balance/,
    async ({ demo }) => wrapV2(demo, await signPayment(demo, createWallet())),
  ],
  [
    'a version 1 payer without funds',
    402,
    /insufficient_balance/,
    async ({ demo }) => wrapV1(await signPayment(demo, createWallet())),
  ],
  [
    'another network in the terms',
    402,
    /network/,
    async ({ demo }, wallet) =>
      wrapV2(demo, await signPayment(demo, wallet, { chainId: 8453 }), { network: 'eip155:8453' }),
  ],
  [
    'a signature for another network',
    402,
    /signature/,
    async ({ demo }, wallet) => wrapV2(demo, await signPayment(demo, wallet, { chainId: 8453 })),
  ],
  [
    'another network in version 1',
    402,
    /network/,
    async ({ demo }, wallet) => wrapV1(await signPayment(demo, wallet), 'base'),
  ],
  [
    'another asset in the terms',
    402,
    /terms/,
    async ({ demo }, wallet) =>
      wrapV2(demo, await signPayment(demo, wallet, { asset: STRANGER }), { asset: STRANGER }),
  ],
  [
    'a signature for another asset',
    402,
    /signature/,
    async ({ demo }, wallet) => wrapV2(demo, await signPayment(demo, wallet, { asset: STRANGER })),
  ],
  [
    'another scheme',
    402,
    /scheme/,
    async ({ demo }, wallet) => wrapV2(demo, await signPayment(demo, wallet), { scheme: 'upto' }),
  ],
];

describe('invalid payments', () => {
  let rig: PaymentRig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig.close());

  for (const [what, status, reason, forge] of FORGERIES) {
    it(`get ${status} for ${what}, without running a handler or charging`, async () => {
      const wallet = await createFundedWallet(rig.demo);
      const header = await forge(rig, wallet);
      const mined = rig.demo.chain.mined().length;
      const response = await fetch(`${rig.server.url}/paid`, { headers: { x402: header } });
      const body = (await response.json()) as { detail: string };
      assert.equal(response.status, status, body.detail);
      assert.match(body.detail, reason);
      assert.equal('secret' in body, false);
      assert.equal(response.headers.has('payment-required'), status === 402);
      assert.equal(rig.server.runs(), 0);
      assert.equal(await rig.demo.balanceOf(wallet.address), 1_000_000n);
      assert.equal(rig.demo.chain.mined().length, mined);
    });
  }

  it('leave no open payments behind', async () => {
    const rows = await rig.store.payments.list({ limit: 1000, offset: 0 });
    assert.ok(rows.length > 0);
    assert.deepEqual([...new Set(rows.map((row) => row.state))], ['released']);
  });
});
