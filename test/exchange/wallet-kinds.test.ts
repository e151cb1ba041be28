// Wallet kind × market version × step, each a test against the strict simulator. Orders are signed by the trader;
// the simulated contract or the exchange's own client judges them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AssetType, ClobClient, OrderType, Side, type SignatureTypeV2 } from '@polymarket/clob-client-v2';
import { createWalletClient, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { MarketRef } from '../../simulator/simulator-state.ts';
import { MICRO, toPips } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Venue } from '../../src/trading/types.ts';
import { SIGNATURE_TYPES, type WalletKind } from '../../src/trading/venue/polymarket/signing/sign-order.ts';
import { openPolymarketVenue } from '../../src/trading/venue/polymarket/venue.ts';
import { openChain } from '../../src/trading/venue/polymarket/wallet/chain.ts';
import { discoverWallet } from '../../src/trading/venue/polymarket/wallet/discover-wallet.ts';
import { openRelayer } from '../../src/trading/venue/polymarket/wallet/relayer.ts';
import { type OpenExchange, openExchange } from './open-exchange.ts';

const START_MICRO = 1000 * MICRO;

interface Case {
  name: string;
  kind: WalletKind;
  isSession: boolean;
  takes?: 'plain' | 'wrapped';
}

const CASES: Case[] = [
  { name: 'plain key', kind: 'key', isSession: false },
  { name: 'proxy', kind: 'proxy', isSession: false },
  { name: 'Safe', kind: 'safe', isSession: false },
  { name: 'deposit wallet, owner, wrapped', kind: 'deposit', isSession: false, takes: 'wrapped' },
  { name: 'deposit wallet, owner, plain', kind: 'deposit', isSession: false, takes: 'plain' },
  { name: 'deposit wallet, session key', kind: 'deposit', isSession: true, takes: 'wrapped' },
];

let open: OpenExchange;
before(async () => {
  open = await openExchange();
});
after(() => open.server.close());

/** An account of this kind, and the trader's venue for it, with the wallet found by discovery. */
async function openVenue({ kind, isSession, takes }: Case) {
  const { urls } = open.server;
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  const { wallets } = open.simulator.exchange;
  const who = isSession ? { session: account.address } : { key: account.address };
  const wallet = wallets.setUp({ ...who, kind, takes: takes ?? null }, Date.now());
  const chain = openChain(`${urls.base}/polygon`);
  const relayer = openRelayer({
    url: `${urls.base}/relayer`,
    key: { apiKey: 'k', address: account.address },
  });
  const found = await discoverWallet({ account, wallet: isSession ? wallet : null, chain, relayer });
  assert.deepEqual([found.problem, found.signer?.wallet, found.signer?.kind], [null, wallet, kind]);
  assert.equal(found.signer!.isSession, isSession);
  if (takes) assert.equal(found.signer!.form, takes, 'the form that the contract accepts');
  const venue = await openPolymarketVenue({
    url: urls.clob,
    gammaUrl: urls.gamma,
    geoblockUrl: null,
    signer: found.signer!,
    chain,
    relayer,
    feePaidIn: 'shares',
    clock: systemClock,
  });
  return { venue, account, wallet };
}

async function order(venue: Venue, ref: MarketRef, action: 'BUY' | 'SELL', price: number, shares: number) {
  const prepared = await venue.prepare({
    tokenId: ref.market.tokenIds[0],
    action,
    pricePips: toPips(price),
    sizeMicro: shares * MICRO,
    isNegRisk: ref.event.isNegRisk,
    expiresTs: Date.now() + 120_000,
  });
  return { orderId: prepared.orderId, outcome: await venue.send(prepared) };
}

/** Lets time pass on the exchange only. */
const settle = () => open.simulator.exchange.advance(Date.now() + 10_000);

for (const one of CASES)
  for (const version of ['v1', 'v2'] as const)
    describe(`${one.name}, ${version}`, () => {
      const market = () => (version === 'v2' ? open.version2 : open.negRisk);
      const tokenId = () => market().market.tokenIds[0];
      let venue: Venue;
      let wallet: Hex;

      it('credentials', async () => {
        const opened = await openVenue(one);
        ({ venue, wallet } = opened);
        assert.equal((await venue.checkAccess()).isAllowed, true);
      });

      it('balance', async () => {
        assert.deepEqual([await venue.cashMicro(), await venue.sharesMicro(tokenId())], [START_MICRO, 0]);
      });

      it('order and cancel', async () => {
        const placed = await order(venue, market(), 'BUY', market().event.tick, 10);
        assert.deepEqual(placed.outcome, { kind: 'accepted' });
        const [listed] = await venue.openOrders();
        assert.deepEqual([listed!.orderId, listed!.sizeMicro], [placed.orderId, 10 * MICRO]);
        assert.deepEqual(await venue.cancel([placed.orderId]), [placed.orderId]);
        assert.deepEqual(await venue.openOrders(), []);
      });

      it('fill', async () => {
        const [book] = await venue.books([tokenId()]);
        const placed = await order(venue, market(), 'BUY', book!.asks[0]!.pricePips / 10_000, 10);
        assert.deepEqual(placed.outcome, { kind: 'accepted' });
        assert.equal(await venue.findOrder(placed.orderId), null, 'a filled order is null');
        settle();
        const [fill] = await venue.fillsSince(Date.now() - 60_000);
        assert.deepEqual([fill!.orderId, fill!.sizeMicro], [placed.orderId, 10 * MICRO]);
        const shares = await venue.sharesMicro(tokenId());
        assert.ok(shares > 9 * MICRO && shares <= 10 * MICRO, String(shares));
      });

      it('redeem', async () => {
        const { exchange } = open.simulator;
        // The market is decided for Yes from here on.
        const held = exchange.core.ledger.balance(wallet.toLowerCase(), tokenId());
        const cash = await venue.cashMicro();
        const restore = decide(tokenId());
        try {
          const id = await venue.redemption!.send(tokenId(), held);
          let hasPaid = await venue.redemption!.hasPaid(id);
          for (let i = 0; hasPaid === null && i < 40; i++) {
            await new Promise((resolve) => setTimeout(resolve, 100));
            hasPaid = await venue.redemption!.hasPaid(id);
          }
          assert.equal(hasPaid, true);
        } finally {
          restore();
        }
        assert.deepEqual([await venue.cashMicro(), await venue.sharesMicro(tokenId())], [cash + held, 0]);
      });
    });

/** Makes the exchange see the token's market as won by the token; returns a function that ends it. */
function decide(tokenId: string): () => void {
  const { markets } = open.simulator.exchange;
  const { byCondition } = markets;
  markets.byCondition = (conditionId, ts) => {
    const found = byCondition(conditionId, ts);
    return found?.tokenIds.includes(tokenId) ? { ...found, isClosed: true, winner: 0 } : found;
  };
  return () => {
    markets.byCondition = byCondition;
  };
}

describe("the same exchange, through the exchange's own client", () => {
  const connect = async (kind: WalletKind | 'new key') => {
    const account = privateKeyToAccount(generatePrivateKey());
    const signer = createWalletClient({ account, transport: http('http://127.0.0.1:9') });
    const isNew = kind === 'new key';
    const { wallets } = open.simulator.exchange;
    const wallet = isNew ? account.address : wallets.setUp({ key: account.address, kind }, Date.now());
    const host = open.server.urls.clob;
    const creds = await new ClobClient({ host, chain: 137, signer }).createOrDeriveApiKey();
    const signatureType = SIGNATURE_TYPES[isNew ? 'key' : kind] as SignatureTypeV2;
    const client = new ClobClient({ host, chain: 137, signer, creds, signatureType, funderAddress: wallet });
    return { client, account, wallet };
  };
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked field by field.
  type Json = any;
  const buy = (
    client: ClobClient,
    ref: MarketRef,
    price: number,
    size: number,
    orderVersion: 2 | 3,
  ): Promise<Json> =>
    client.createAndPostOrder(
      { tokenID: ref.market.tokenIds[0], price, size, side: Side.BUY },
      {
        tickSize: String(ref.event.tick) as '0.01',
        negRisk: ref.event.isNegRisk,
        version: orderVersion,
      } as Json,
      OrderType.GTC,
    );

  it('refuses a key that is newer than deposit wallets', async () => {
    const { client } = await connect('new key');
    assert.equal(
      (await buy(client, open.negRisk, 0.01, 10, 2)).error,
      'maker address not allowed, please use the deposit wallet flow',
    );
  });

  for (const kind of ['key', 'proxy', 'safe', 'deposit'] as const)
    it(`takes ${kind} orders under domain 2 or 3, as the market's version demands`, async () => {
      const { client } = await connect(kind);
      for (const [ref, right, wrong] of [
        [open.negRisk, 2, 3],
        [open.version2, 3, 2],
      ] as const) {
        assert.equal((await buy(client, ref, ref.event.tick, 10, right)).status, 'live');
        assert.equal((await buy(client, ref, ref.event.tick, 10, wrong)).error, 'invalid signature');
      }
      await client.cancelAll();
    });

  it('demands a dollar of a purchase that trades at once, which may return more shares', async () => {
    const { client } = await connect('deposit');
    const best = (await client.getOrderBook(open.negRisk.market.tokenIds[0])).asks.at(-1)!;
    const [price, tick] = [Number(best.price), open.negRisk.event.tick];
    const small = await buy(client, open.negRisk, price, 0.95 / price < 5 ? 5 : Math.floor(0.95 / price), 2);
    if (price * 5 < 1) assert.match(small.error, /marketable BUY order .* min size: \$1/);
    const limit = Math.round((price + 2 * tick) / tick) * tick;
    const placed = await buy(client, open.negRisk, Number(limit.toFixed(3)), 20, 2);
    assert.equal(placed.status, 'matched');
    assert.ok(Number(placed.takingAmount) > 20, `${placed.takingAmount} shares`);
    assert.equal(await client.getOrder(placed.orderID), null);
    settle();
    const asked = { token_id: open.negRisk.market.tokenIds[0] };
    const { balance } = await client.getBalanceAllowance({ ...asked, asset_type: AssetType.CONDITIONAL });
    const other = await client.getBalanceAllowance({ ...asked, asset_type: 'CONDITIONAL-V2' as AssetType });
    assert.ok(Number(balance) > 20 * MICRO);
    assert.equal(other.balance, '0', 'version 2 positions have their own balance');
  });

  it('shows no money and takes no order before approvals, terms and a refresh with the right signature type', async () => {
    const { client, wallet } = await connect('deposit');
    const { wallets } = open.simulator.exchange;
    const cash = async () => (await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })).balance;
    const before = Number(await cash());
    wallets.give(wallet, 500);
    assert.equal(Number(await cash()), before);
    const wrong = new ClobClient({
      host: open.server.urls.clob,
      chain: 137,
      signer: client.signer!,
      creds: client.creds!,
    });
    await wrong.updateBalanceAllowance({ asset_type: AssetType.COLLATERAL });
    assert.equal(Number(await cash()), before, 'refreshed for another wallet');
    await client.updateBalanceAllowance({ asset_type: AssetType.COLLATERAL });
    assert.equal(Number(await cash()), before + 500 * MICRO);
  });
});
