// Tests the same exchange with an unmodified @polymarket/client, the unified SDK, including its user stream.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createSecureClient, forkEnvironmentConfig } from '@polymarket/client';
import { fetchBalanceAllowance } from '@polymarket/client/actions';
import { privateKey } from '@polymarket/client/viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type OpenExchange, openExchange } from './open-exchange.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are checked field by field.
type Json = any;

let open: OpenExchange;
before(async () => {
  open = await openExchange(33);
});
after(() => open.server.close());

async function connect(): Promise<Json> {
  const { urls } = open.server;
  const environment = forkEnvironmentConfig({
    name: 'simulator',
    rpc: 'http://127.0.0.1:9',
    clob: { rest: urls.clob, market: { ws: urls.marketWs }, user: { ws: urls.userWs } },
    gamma: { rest: urls.gamma },
    data: { rest: urls.data },
  });
  const key = generatePrivateKey();
  const wallet = privateKeyToAccount(key).address;
  open.simulator.exchange.wallets.setUp({ key: wallet }, Date.now());
  return createSecureClient({ environment, signer: privateKey(key), wallet });
}

const tokenId = () => open.negRisk.market.tokenIds[0];

async function firstPage(list: Json): Promise<Json[]> {
  return (await list.firstPage()).items;
}

/** Returns the next matching stream event, or fails after a deadline. */
async function nextEvent(stream: AsyncIterator<Json>, wanted: (event: Json) => boolean): Promise<Json> {
  const deadline = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no matching event within 10 s')), 10_000).unref();
  });
  for (;;) {
    const { value } = await Promise.race([stream.next(), deadline]);
    if (wanted(value)) return value;
  }
}

describe('the exchange, through @polymarket/client', () => {
  it('authenticates, shows balances, and places, partly fills, lists and cancels orders', async () => {
    const client = await connect();
    assert.equal(client.account.wallet, client.account.signer);
    assert.equal(await client.fetchClosedOnlyMode(), false);
    const { balance } = await fetchBalanceAllowance(client, { assetType: 'COLLATERAL' as Json });
    assert.equal(String(balance), '1000000000');
    const book = await client.fetchOrderBook({ tokenId: tokenId() });
    const best = book.asks.at(-1);
    const size = Math.ceil(Number(best.size)) + 20;
    const placed = await client.placeLimitOrder({ tokenId: tokenId(), price: best.price, size, side: 'BUY' });
    assert.deepEqual(
      [placed.ok, placed.status, Number(placed.takingAmount)],
      [true, 'matched', Number(best.size)],
    );
    const [rest] = await firstPage(client.listOpenOrders());
    assert.deepEqual([rest.id, rest.status], [placed.orderId, 'ORDER_STATUS_LIVE']);
    const trades = await firstPage(client.listAccountTrades({ id: placed.tradeIds[0] }));
    assert.equal(trades[0].traderSide, 'TAKER');
    assert.deepEqual((await client.cancelOrder({ orderId: placed.orderId })).canceled, [placed.orderId]);
    assert.equal((await client.fetchOrder({ orderId: placed.orderId })).status, 'ORDER_STATUS_CANCELED');
  });

  it('waits until a fill has settled, and reports a fill that failed', async () => {
    const client = await connect();
    const order = { tokenId: tokenId(), amount: 2, side: 'BUY' };
    const settled = await client.placeMarketOrder(order);
    const moving = setInterval(() => open.simulator.exchange.advance(Date.now() + 30_000), 200);
    try {
      assert.equal((await client.waitForOrderFillSettlement(settled)).length, 1);
      await open.fault('exchange-trade-fails=1');
      const failed = await client.placeMarketOrder(order);
      await assert.rejects(client.waitForOrderFillSettlement(failed), /failed execution/);
    } finally {
      clearInterval(moving);
      await open.clearFaults();
    }
  });

  it('returns error codes with rejections', async () => {
    const client = await connect();
    const crossing = client.placeLimitOrder({
      tokenId: tokenId(),
      price: 0.6,
      size: 10,
      side: 'BUY',
      postOnly: true,
    });
    await assert.rejects(crossing, /invalid post-only order/);
    const best = (await client.fetchOrderBook({ tokenId: tokenId() })).asks.at(-1);
    const [batch] = await client.postOrders([
      await client.createMarketOrder({
        tokenId: tokenId(),
        amount: 990,
        maxPrice: best.price,
        side: 'BUY',
        orderType: 'FOK',
      }),
    ]);
    assert.deepEqual([batch.ok, batch.code], [false, 'fok_not_filled']);
  });

  it('streams orders and trades, and unsubscribes on request', async () => {
    const client = await connect();
    const handle = await client.subscribe([{ topic: 'user' }]);
    const stream = handle[Symbol.asyncIterator]();
    try {
      const placed = await client.placeLimitOrder({ tokenId: tokenId(), price: 0.01, size: 10, side: 'BUY' });
      const placement = await nextEvent(stream, (event) => event.payload.id === placed.orderId);
      assert.deepEqual([placement.type, placement.payload.orderEventType], ['order', 'PLACEMENT']);
      await open.fault('user-ws-lossy=1');
      await client.cancelOrder({ orderId: placed.orderId });
      await open.clearFaults();
      const bought = await client.placeMarketOrder({ tokenId: tokenId(), amount: 2, side: 'BUY' });
      const seen: Json[] = [];
      const trade = await nextEvent(stream, (event) => {
        seen.push(event);
        return event.type === 'trade';
      });
      assert.equal(trade.payload.id, bought.tradeIds[0]);
      assert.ok(
        !seen.some((event) => event.payload.orderEventType === 'CANCELLATION'),
        'the lost event never arrives',
      );
    } finally {
      await handle.close?.();
      await client.closeSubscriptions();
    }
  });
});
