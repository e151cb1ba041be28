// Tests the simulated exchange with an unmodified @polymarket/clob-client-v2: keys, orders, fills, cancellations.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AssetType, ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type OpenExchange, openExchange } from './open-exchange.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are checked field by field.
type Json = any;

let open: OpenExchange;
before(async () => {
  open = await openExchange();
});
after(() => open.server.close());

function signer() {
  const account = privateKeyToAccount(generatePrivateKey());
  return createWalletClient({ account, transport: http('http://127.0.0.1:9') });
}

/** A key that traded before deposit wallets came, with money and approvals. */
async function connect(wallet = signer(), isOld = true): Promise<ClobClient> {
  if (isOld) open.simulator.exchange.wallets.setUp({ key: wallet.account.address }, Date.now());
  const host = open.server.urls.clob;
  const creds = await new ClobClient({ host, chain: 137, signer: wallet }).createOrDeriveApiKey();
  return new ClobClient({ host, chain: 137, signer: wallet, creds });
}

const token = () => open.negRisk.market.tokenIds[0];

async function bestAsk(client: ClobClient, tokenId = token()) {
  const book = await client.getOrderBook(tokenId);
  const { price, size } = book.asks.at(-1)!;
  return { price: Number(price), size: Number(size), tick: Number(book.tick_size) };
}

describe('the exchange, through @polymarket/clob-client-v2', () => {
  it('creates, derives, lists and deletes credentials by signature', async () => {
    const wallet = signer();
    const first = await connect(wallet);
    assert.deepEqual((await connect(wallet)).creds, first.creds);
    assert.deepEqual((await first.getApiKeys()).apiKeys as Json, [first.creds!.key]);
    assert.equal(await first.deleteApiKey(), 'OK');
    assert.match(((await first.getApiKeys()) as Json).error, /Invalid api key/);
    const stale = await new ClobClient({
      host: open.server.urls.clob,
      chain: 137,
      signer: wallet,
    }).deriveApiKey();
    assert.equal(stale.key, undefined, 'the nonce of a deleted key derives no credentials');
  });

  it('shows balances and allowances', async () => {
    const client = await connect();
    const { balance, allowances } = await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL });
    assert.equal(balance, '1000000000');
    assert.equal(Object.keys(allowances).length, 3);
    assert.equal((await client.getClosedOnlyMode()).closed_only, false);
  });

  it('rests and lists a GTC order, and cancels by order, list, market or all at once', async () => {
    const client = await connect();
    const { tick } = await bestAsk(client);
    const post = () =>
      client.createAndPostOrder(
        { tokenID: token(), price: tick, size: 10, side: Side.BUY },
        undefined,
        OrderType.GTC,
      );
    const first = await post();
    assert.deepEqual([first.success, first.status], [true, 'live']);
    const found = await client.getOrder(first.orderID);
    assert.deepEqual(
      [found.status, found.original_size, found.size_matched, found.price],
      ['ORDER_STATUS_LIVE', '10000000', '0', String(tick)],
    );
    assert.deepEqual((await client.cancelOrder({ orderID: first.orderID })) as Json, {
      canceled: [first.orderID],
      not_canceled: {},
    });
    assert.equal((await client.getOrder(first.orderID)).status, 'ORDER_STATUS_CANCELED');
    const [second, third, fourth, fifth] = [await post(), await post(), await post(), await post()];
    assert.equal((await client.getOpenOrders({ asset_id: token() })).length, 4);
    assert.deepEqual(((await client.cancelOrders([second.orderID])) as Json).canceled, [second.orderID]);
    assert.equal(((await client.cancelMarketOrders({ asset_id: 'other' })) as Json).canceled.length, 0);
    assert.deepEqual(((await client.cancelOrders([third.orderID, first.orderID])) as Json).canceled, [
      third.orderID,
    ]);
    assert.deepEqual(
      ((await client.cancelAll()) as Json).canceled.sort(),
      [fourth.orderID, fifth.orderID].sort(),
    );
    assert.deepEqual(await client.getOpenOrders(), []);
  });

  it('fills part of an order immediately, rests the remainder, and settles the trade with its fee in shares', async () => {
    const client = await connect();
    const { price, size } = await bestAsk(client);
    const wanted = Math.ceil(size) + 20;
    const placed = await client.createAndPostOrder({ tokenID: token(), price, size: wanted, side: Side.BUY });
    assert.deepEqual([placed.success, placed.status, Number(placed.takingAmount)], [true, 'matched', size]);
    const [rest] = await client.getOpenOrders();
    assert.deepEqual([rest!.id, Number(rest!.size_matched)], [placed.orderID, Math.round(size * 1e6)]);
    const trades = await client.getTrades({ id: placed.tradeIDs![0]! });
    assert.deepEqual([trades[0]!.trader_side, trades[0]!.taker_order_id], ['TAKER', placed.orderID]);
    open.simulator.exchange.advance(Date.now() + 3_000);
    const held = await client.getBalanceAllowance({ asset_type: AssetType.CONDITIONAL, token_id: token() });
    const shares = Number(held.balance) / 1e6;
    assert.ok(shares < size && shares > size * 0.93, `${shares} of ${size}`);
    await client.cancelAll();
  });

  it('honours FOK, FAK, GTD and post-only', async () => {
    const client = await connect();
    const { price, size, tick } = await bestAsk(client);
    const limit = { tokenID: token(), side: Side.BUY, price };
    const fok = await client.createAndPostMarketOrder(
      { ...limit, amount: Math.floor(size * price) + 400 },
      undefined,
      OrderType.FOK,
    );
    assert.match((fok as Json).error, /FOK orders are fully filled or killed/);
    const fak = await client.createAndPostMarketOrder({ ...limit, amount: 3 }, undefined, OrderType.FAK);
    assert.equal(fak.status, 'matched');
    const far = await client.createAndPostMarketOrder(
      { ...limit, price: tick, amount: 3 },
      undefined,
      OrderType.FAK,
    );
    assert.match((far as Json).error, /no orders found to match with FAK order/);
    const crossing = await client.createAndPostOrder({ ...limit, size: 10 }, undefined, OrderType.GTC, true);
    assert.match((crossing as Json).error, /invalid post-only order/);
    const inTime = Math.floor(Date.now() / 1000) + 120;
    const gtd = await client.createAndPostOrder(
      { ...limit, price: tick, size: 10, expiration: inTime },
      undefined,
      OrderType.GTD,
    );
    assert.equal(gtd.status, 'live');
    const late = await client.createAndPostOrder(
      { ...limit, price: tick, size: 10, expiration: inTime - 100 },
      undefined,
      OrderType.GTD,
    );
    assert.equal((late as Json).error, 'invalid expiration');
    await client.cancelAll();
  });

  it('trades on either exchange contract, and rejects a signature made for the other one', async () => {
    const client = await connect();
    for (const ref of [open.plain, open.negRisk]) {
      const tokenID = ref.market.tokenIds[1];
      const order = { tokenID, price: ref.event.tick, size: 10, side: Side.BUY };
      assert.equal((await client.createAndPostOrder(order)).status, 'live');
      const wrong = await client.createAndPostOrder(order, {
        tickSize: String(ref.event.tick) as '0.01',
        negRisk: !ref.event.isNegRisk,
      });
      assert.equal((wrong as Json).error, 'invalid signature');
    }
    await client.cancelAll();
  });

  it('rejects tampered orders, wrong amounts, duplicate orders and short sales', async () => {
    const client = await connect();
    const { tick } = await bestAsk(client);
    const order = (await client.createOrder({
      tokenID: token(),
      price: tick,
      size: 10,
      side: Side.BUY,
    })) as Json;
    const refusals: [Json, RegExp][] = [
      [{ ...order, takerAmount: '20000000' }, /invalid signature/],
      [{ ...order, makerAmount: '1' }, /invalid signature/],
      [{ ...order, signature: `0x${'11'.repeat(65)}` }, /invalid signature/],
      [{ ...order, signer: `0x${'22'.repeat(20)}` }, /signer address has to be the address of the API KEY/],
      [{ ...order, maker: `0x${'22'.repeat(20)}` }, /invalid signature/],
      [{ ...order, tokenId: '1' }, /does not exist/],
    ];
    for (const [tampered, words] of refusals)
      assert.match(((await client.postOrder(tampered)) as Json).error, words);
    assert.equal((await client.postOrder(order)).status, 'live');
    assert.match(((await client.postOrder(order)) as Json).error, /Duplicated/);
    const build = (price: number, size: number, side = Side.BUY) =>
      client.createAndPostOrder({ tokenID: token(), price, size, side }) as Promise<Json>;
    assert.match((await build(tick, 4)).error, /Size \(4\) lower than the minimum: 5/);
    assert.match((await build(tick, 10, Side.SELL)).error, /not enough balance \/ allowance/);
    assert.match(
      (await build(0.5, 4000)).error,
      /not enough balance \/ allowance: the balance is not enough/,
    );
    await client.cancelAll();
  });

  it('rejects signed amounts that are off the tick grid', async () => {
    const client = await connect();
    const { orderBuilder } = client as Json;
    const offGrid = await orderBuilder.buildOrder(
      { tokenID: token(), price: 0.0123, size: 10, side: Side.BUY },
      { tickSize: '0.0001', negRisk: true },
      2,
    );
    assert.match(((await client.postOrder(offGrid)) as Json).error, /breaks minimum tick size rule/);
  });

  it("rejects another user's credentials, wrong HMACs and old signatures", async () => {
    const [own, other] = [await connect(), await connect()];
    const host = open.server.urls.clob;
    const mixed = new ClobClient({ host, chain: 137, signer: own.signer!, creds: other.creds! });
    assert.match(
      ((await mixed.getOpenOrders().catch(String)) as Json).error ?? 'thrown',
      /Invalid api key|thrown/,
    );
    assert.match(((await mixed.cancelAll()) as Json).error, /Invalid api key/);
    const secret = Buffer.from('another secret, of the right length').toString('base64');
    const forged = new ClobClient({
      host,
      chain: 137,
      signer: own.signer!,
      creds: { ...own.creds!, secret },
    });
    assert.match(((await forged.cancelAll()) as Json).error, /Invalid api key/);
    const order = await own.createOrder({ tokenID: token(), price: 0.01, size: 10, side: Side.BUY });
    assert.match(
      ((await other.postOrder(order)) as Json).error,
      /signer address has to be the address of the API KEY/,
    );
    const response = await fetch(`${host}/auth/api-key`, {
      method: 'POST',
      headers: {
        POLY_ADDRESS: `0x${'33'.repeat(20)}`,
        POLY_SIGNATURE: `0x${'44'.repeat(65)}`,
        POLY_TIMESTAMP: String(Math.floor(Date.now() / 1000)),
        POLY_NONCE: '0',
      },
    });
    assert.equal(response.status, 401);
    assert.deepEqual(await response.json(), { error: 'Invalid L1 Request headers' });
  });

  it('keeps orders while heartbeats arrive and cancels them when they stop', async () => {
    const client = await connect();
    const { heartbeat_id } = await client.postHeartbeat();
    const placed = await client.createAndPostOrder({
      tokenID: token(),
      price: 0.01,
      size: 10,
      side: Side.BUY,
    });
    const wrong = (await client.postHeartbeat('not the last one')) as Json;
    assert.equal(wrong.heartbeat_id, heartbeat_id, 'the rejection contains the right id');
    assert.ok((await client.postHeartbeat(heartbeat_id)).heartbeat_id);
    assert.equal((await client.getOrder(placed.orderID)).status, 'ORDER_STATUS_LIVE');
    open.simulator.exchange.core.advance(Date.now() + 16_000);
    assert.equal((await client.getOrder(placed.orderID)).status, 'ORDER_STATUS_CANCELED');
  });

  it('simulates failures on request: restart, post-only mode, missing allowance', async () => {
    const client = await connect();
    const post = () =>
      client.createAndPostOrder({ tokenID: token(), price: 0.01, size: 10, side: Side.BUY }) as Promise<Json>;
    const cases: [string, number, RegExp][] = [
      ['exchange-restart=1', 425, /restarting/],
      ['exchange-post-only=1', 503, /post-only/],
      ['exchange-no-allowance=1', 400, /the allowance is not enough/],
    ];
    for (const [fault, status, words] of cases) {
      await open.fault(fault);
      const refused = await post();
      assert.equal(refused.status, status, fault);
      assert.match(refused.error, words);
      await open.clearFaults();
    }
    assert.equal((await post()).status, 'live');
    await client.cancelAll();
  });
});
