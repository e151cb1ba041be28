// Signatures are compared with vectors made by the exchange's own Python clients (in ../shared; skipped if
// absent), and with the exchange's own TypeScript client.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ClobClient, Side, type SignatureTypeV2 } from '@polymarket/clob-client-v2';
import { createWalletClient, type Hex, hashTypedData, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { walletHeaders } from '../session.ts';
import type { MarketForm, MarketVersion } from './contracts.ts';
import { deriveWallets } from './derive-wallets.ts';
import { hashOrder, type UnsignedOrder } from './order-typed-data.ts';
import {
  batchTypedData,
  putInEnvelope,
  SIGNATURE_TYPES,
  type Signer,
  signBatch,
  signOrder,
  type WalletKind,
} from './sign-order.ts';

const VECTORS = new URL('../../../../../../shared/vectors/order_signatures.json', import.meta.url);
const skip = existsSync(VECTORS) ? false : 'order_signatures.json is not in ../shared/vectors';
// biome-ignore lint/suspicious/noExplicitAny: a file of vectors.
const vectors: any = skip ? {} : JSON.parse(readFileSync(VECTORS, 'utf8'));
const KINDS = Object.keys(SIGNATURE_TYPES) as WalletKind[];
const PLAIN_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const account = privateKeyToAccount(PLAIN_KEY);

function signerFor(kind: WalletKind, wallet: Hex, isSession = false): Signer {
  return { account, wallet, kind, form: 'wrapped', isSession };
}

describe("signatures, against the exchange's Python clients", { skip }, () => {
  for (const { name, neg_risk: isNegRisk, order, digest, order_digest, signature } of vectors.orders ?? [])
    it(name, async () => {
      const market: MarketForm = { version: 'v1', isNegRisk };
      assert.equal(hashOrder(order, market), digest ?? order_digest);
      const signer = signerFor(KINDS[order.signatureType]!, order.maker);
      assert.equal(await signOrder(signer, order as UnsignedOrder, market), signature);
    });

  it('credentials, wallet batch and envelope', async () => {
    const { l1_auth: auth, wallet_batch: batch, session_envelope: envelope } = vectors;
    const headers = await walletHeaders(account, auth.timestamp * 1000, auth.nonce);
    assert.equal(headers.POLY_SIGNATURE, auth.signature);
    assert.equal(hashTypedData(batchTypedData(batch)), batch.digest);
    assert.equal(await signBatch(signerFor('deposit', batch.wallet), batch), batch.signature);
    const wrapped = vectors.orders.find((one: { name: string }) => /wrapped/.test(one.name)).signature;
    assert.equal((wrapped.length - 2) / 2, envelope.wrapped_bytes);
    const sealed = putInEnvelope(envelope.session_signer, wrapped);
    assert.match(sealed, new RegExp(`^0x0{24}${envelope.session_signer.slice(2)}0{64}`, 'i'));
    assert.ok(sealed.includes(wrapped.slice(2)) && sealed.endsWith('6492'.repeat(16)));
  });

  it('addresses of the wallets that may belong to a key', () => {
    const { of_the_key, of_address_one } = vectors.wallets;
    for (const [owner, expected] of [
      [account.address, of_the_key],
      ['0x0000000000000000000000000000000000000001', of_address_one],
    ] as const) {
      const { depositBeacon, depositUups, safe, proxy } = deriveWallets(owner);
      assert.deepEqual({ deposit_uups: depositUups, deposit_beacon: depositBeacon, safe, proxy }, expected);
    }
  });
});

describe("signatures, against the exchange's TypeScript client", () => {
  const wallets = deriveWallets(account.address);
  const walletOf = {
    key: account.address,
    proxy: wallets.proxy,
    safe: wallets.safe,
    deposit: wallets.depositBeacon,
  };
  const forms: MarketForm[] = [
    { version: 'v1', isNegRisk: false },
    { version: 'v1', isNegRisk: true },
    { version: 'v2', isNegRisk: true },
  ];
  const TOKEN_ID = '71321045679252212594626385532706912750332728571942532289631379312455583992563';
  const ORDER_VERSION: Record<MarketVersion, 2 | 3> = { v1: 2, v2: 3 };
  for (const kind of KINDS)
    for (const market of forms)
      it(`${kind}, ${market.version}${market.isNegRisk ? ', negative risk' : ''}`, async () => {
        const client = new ClobClient({
          host: 'http://127.0.0.1:9',
          chain: 137,
          signer: createWalletClient({ account, transport: http('http://127.0.0.1:9') }),
          signatureType: SIGNATURE_TYPES[kind] as SignatureTypeV2,
          funderAddress: walletOf[kind],
        });
        // The builder alone: the client itself would first ask the exchange for the tick size.
        // biome-ignore lint/suspicious/noExplicitAny: not in the client's types.
        const { signature, ...order } = (await (client as any).orderBuilder.buildOrder(
          { tokenID: TOKEN_ID, price: 0.5, size: 10, side: Side.BUY },
          { tickSize: '0.01', negRisk: market.isNegRisk },
          ORDER_VERSION[market.version],
        )) as UnsignedOrder & { signature: Hex };
        assert.equal(await signOrder(signerFor(kind, walletOf[kind]), order, market), signature);
      });
});
