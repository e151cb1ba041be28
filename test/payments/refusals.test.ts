import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { encode, type SignOptions, signPayment, wrapV1, wrapV2 } from './signing.ts';
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

type Case = [
  what: string,
  status: number,
  reason: RegExp,
  write: (rig: PaymentRig, wallet: Wallet) => Promise<string>,
];

/** A payment that differs from a valid one in what is given here. */
interface Forgery {
  /** Signed like this. */
  signed?: SignOptions;
  /** Changed after signing. */
  altered?: Record<string, string>;
  /** Sent with these terms. */
  terms?: object;
  /** Sent in version 1, for this network. */
  v1?: string;
  /** Signed by a wallet without funds. */
  isBroke?: boolean;
}

async function forge({ demo }: PaymentRig, wallet: Wallet, forgery: Forgery): Promise<string> {
  const signer = forgery.isBroke ? createWallet() : wallet;
  const signed = await signPayment(demo, signer, forgery.signed);
  const payment = { ...signed, authorization: { ...signed.authorization, ...forgery.altered } };
  return forgery.v1 ? wrapV1(payment, forgery.v1) : wrapV2(demo, payment, forgery.terms);
}

const MALFORMED: [string, RegExp, string][] = [
  ['text that is not base64', /not a base64/, '%%%garbage'],
  ['base64 of other data', /not a base64-encoded JSON object/, encode([1, 2])],
  ['an unknown protocol version', /x402Version/, encode({ x402Version: 3 })],
];

const FORGERIES: [string, RegExp, Forgery][] = [
  ['an amount raised after signing', /amount/, { altered: { value: '20000' } }],
  ['a correctly signed amount that is too small', /amount/, { signed: { value: 1n } }],
  ['a lowered price in the accepted terms', /terms/, { signed: { value: 1n }, terms: { amount: '1' } }],
  [
    'a small amount with the displayed amount raised to the price',
    /signature/,
    { signed: { value: 1n }, altered: { value: String(PRICE) } },
  ],
  ['a correctly signed payment to another recipient', /recipient/, { signed: { to: STRANGER } }],
  [
    'a validity extended after signing',
    /signature/,
    { signed: { validBefore: nowS() - 10 }, altered: { validBefore: String(nowS() + 1000) } },
  ],
  ['a correctly signed, expired authorisation', /expired/, { signed: { validBefore: nowS() - 1 } }],
  [
    'an authorisation that is not yet valid',
    /not yet valid/,
    { signed: { validAfter: nowS() + 500, validBefore: nowS() + 900 } },
  ],
  ['a payer without funds', /insufficient_balance/, { isBroke: true }],
  ['a version 1 payer without funds', /insufficient_balance/, { isBroke: true, v1: 'base-sepolia' }],
  [
    'another network in the terms',
    /network/,
    { signed: { chainId: 8453 }, terms: { network: 'eip155:8453' } },
  ],
  ['a signature for another network', /signature/, { signed: { chainId: 8453 } }],
  ['another network in version 1', /network/, { v1: 'base' }],
  ['another asset in the terms', /terms/, { signed: { asset: STRANGER }, terms: { asset: STRANGER } }],
  ['a signature for another asset', /signature/, { signed: { asset: STRANGER } }],
  ['another scheme', /scheme/, { terms: { scheme: 'upto' } }],
];

/** Payments that depend on the wallet or on the demo's own address. */
const OTHER_FORGERIES: Case[] = [
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
    (rig, wallet) => forge(rig, wallet, { altered: { nonce: '0x1234' } }),
  ],
  [
    'another recipient with the displayed recipient set to ours',
    402,
    /signature/,
    (rig, wallet) => forge(rig, wallet, { signed: { to: STRANGER }, altered: { to: rig.demo.payTo } }),
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
    (rig, wallet) => forge(rig, wallet, { isBroke: true, altered: { from: wallet.address } }),
  ],
];

const CASES: Case[] = [
  ...MALFORMED.map(([what, reason, header]): Case => [what, 400, reason, async () => header]),
  ...FORGERIES.map(
    ([what, reason, forgery]): Case => [what, 402, reason, (rig, wallet) => forge(rig, wallet, forgery)],
  ),
  ...OTHER_FORGERIES,
];

describe('invalid payments', () => {
  let rig: PaymentRig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig.close());

  for (const [what, status, reason, write] of CASES) {
    it(`get ${status} for ${what}, without running a handler or charging`, async () => {
      const wallet = await createFundedWallet(rig.demo);
      const header = await write(rig, wallet);
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
