// Runs Kalshi's own unmodified client against the simulated Kalshi over loopback, and compares our signatures with
// the client's.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as kalshi from 'kalshi-typescript';
import { KalshiAuth } from 'kalshi-typescript/dist/auth.js';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createSigner } from '../../src/sources/kalshi/signing.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const MEMBER = { keyId: 'member-1', publicKeyPem: publicKey };
const nowS = Math.floor(Date.now() / 1_000);
let server: SimulatorServer;
let configuration: kalshi.Configuration;

before(async () => {
  // Long enough for some contracts to be archived.
  const anchorTs = Math.floor((Date.now() - 100 * DAY_MS) / HOUR_MS) * HOUR_MS;
  const simulator = createSimulator({ seed: 3, anchorTs, clock: systemClock });
  server = await startSimulatorServer(simulator);
  const joined = await fetch(`${server.urls.base}/admin/kalshi-members`, {
    method: 'POST',
    body: JSON.stringify(MEMBER),
  });
  assert.equal(joined.status, 200);
  configuration = new kalshi.Configuration({
    basePath: server.urls.kalshi,
    apiKey: MEMBER.keyId,
    privateKeyPem: privateKey,
  });
});
after(() => server.close());

/** Returns the open market with the bid closest to 50 cents: most others have no bid near the end of a window. */
async function openMarket(): Promise<kalshi.Market> {
  const events = new kalshi.EventsApi(configuration);
  const { data } = await events.getEvents(10, undefined, true, undefined, 'open', 'KXACCOUNTB');
  const distance = ({ yes_bid_dollars }: kalshi.Market) => Math.abs(Number(yes_bid_dollars) - 0.5);
  const markets = data.events.flatMap((event) => event.markets!);
  return markets.reduce((closest, market) => (distance(market) < distance(closest) ? market : closest));
}

describe('kalshi-typescript', () => {
  it('reads series, markets, and pages of events with nested markets', async () => {
    const markets = new kalshi.MarketApi(configuration);
    const { data: series } = await markets.getSeries('KXACCOUNTBD');
    assert.deepEqual(
      [series.series.frequency, series.series.fee_type],
      ['daily', kalshi.FeeType.FeeTypeQuadratic],
    );
    const events = new kalshi.EventsApi(configuration);
    const tickers: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await events.getEvents(3, cursor, true, undefined, undefined, 'KXACCOUNTBD');
      tickers.push(...data.events.map(({ event_ticker }) => event_ticker));
      for (const event of data.events) assert.equal(event.markets!.length, 8);
      cursor = data.cursor || undefined;
    } while (cursor);
    assert.ok(tickers.length > 20);
    assert.equal(new Set(tickers).size, tickers.length);
    const market = await openMarket();
    const { data } = await markets.getMarket(market.ticker);
    assert.equal(data.market.ticker, market.ticker);
    assert.match(data.market.yes_bid_dollars, /^0\.\d{4}$/);
    const settled = await events.getEvents(5, undefined, true, undefined, 'settled', 'KXACCOUNTB');
    for (const event of settled.data.events)
      assert.equal(event.markets!.filter(({ result }) => result === 'yes').length, 1);
  });

  it('reads books, which list bids for both sides and have a spread', async () => {
    const { ticker } = await openMarket();
    const { data } = await new kalshi.MarketApi(configuration).getMarketOrderbook(ticker);
    const best = (side: string[][]) => Math.max(...side.map(([price]) => Number(price)));
    const { yes_dollars, no_dollars } = data.orderbook_fp;
    assert.ok(best(yes_dollars) + best(no_dollars) < 1);
    const batch = await new kalshi.MarketApi(configuration).getMarketOrderbooks([ticker]);
    assert.equal(batch.data.orderbooks[0]!.ticker, ticker);
  });

  it('reads candlesticks, the balance and positions', async () => {
    const market = await openMarket();
    const markets = new kalshi.MarketApi(configuration);
    const span = [nowS - 6 * 3_600, nowS, 60] as const;
    const candles = await markets.getMarketCandlesticks('KXACCOUNTB', market.ticker, ...span);
    assert.ok(candles.data.candlesticks.length >= 5);
    assert.match(candles.data.candlesticks[0]!.yes_bid.close_dollars, /^\d\.\d{4}$/);
    const portfolio = new kalshi.PortfolioApi(configuration);
    assert.equal((await portfolio.getBalance()).data.balance_dollars, '500.0000');
    assert.deepEqual((await portfolio.getPositions()).data.market_positions, []);
  });
});

async function ask(path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.urls.kalshi}${path}`, { headers });
  return { status: response.status, text: await response.text() };
}

describe('the simulated Kalshi', () => {
  const sign = createSigner({ keyId: MEMBER.keyId, privateKeyPem: privateKey });
  const path = '/portfolio/positions?limit=5';
  const signed = () => `${new URL(server.urls.kalshi).pathname}/portfolio/positions`;

  it('accepts requests signed by our client, with any query', async () => {
    assert.equal((await ask(path, sign('GET', signed(), Date.now()))).status, 200);
  });

  it('rejects a wrong key, a stale timestamp or a signed query string', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const otherPem = other.export({ type: 'pkcs8', format: 'pem' }) as string;
    const wrongKey = createSigner({ keyId: MEMBER.keyId, privateKeyPem: otherPem });
    const refusals: [Record<string, string>, RegExp][] = [
      [wrongKey('GET', signed(), Date.now()), /INCORRECT_API_KEY_SIGNATURE/],
      [sign('GET', signed(), Date.now() - 60_000), /header_timestamp_expired/],
      [{ ...sign('GET', signed(), Date.now()), 'KALSHI-ACCESS-KEY': 'unknown' }, /NOT_FOUND/],
      [signQuery(), /INCORRECT_API_KEY_SIGNATURE/],
      [{}, /missing_authentication_header/],
    ];
    for (const [headers, reason] of refusals) {
      const { status, text } = await ask(path, headers);
      assert.equal(status, 401, String(reason));
      assert.match(text, reason);
    }
  });

  /** Signs the whole URL, as a faulty client might. */
  function signQuery(): Record<string, string> {
    const auth = new KalshiAuth(MEMBER.keyId, privateKey);
    return auth.generateAuthHeaders('GET', `${signed()}?limit=5`);
  }

  it("accepts signatures that equal the package's own", async () => {
    const auth = new KalshiAuth(MEMBER.keyId, privateKey);
    assert.equal((await ask(path, auth.generateAuthHeaders('GET', signed()))).status, 200);
  });
});

describe('kalshi-typescript, trading on the simulator,', () => {
  const GOOD = kalshi.CreateOrderV2RequestTimeInForceEnum.GoodTillCanceled;
  let orders: kalshi.OrdersApi;
  let portfolio: kalshi.PortfolioApi;
  let market: kalshi.Market;

  before(async () => {
    orders = new kalshi.OrdersApi(configuration);
    portfolio = new kalshi.PortfolioApi(configuration);
    market = await openMarket();
  });

  const draft = (
    side: kalshi.BookSide,
    price: string,
    count: string,
    more: Partial<kalshi.CreateOrderV2Request> = {},
  ): kalshi.CreateOrderV2Request => ({
    ...{ ticker: market.ticker, side, price, count, time_in_force: GOOD },
    self_trade_prevention_type: kalshi.SelfTradePreventionType.TakerAtCross,
    ...more,
  });
  const place = async (...given: Parameters<typeof draft>) =>
    (await orders.createOrderV2(draft(...given))).data;
  const cents = async () => (await portfolio.getBalance()).data.balance_dollars;
  const held = async () =>
    (await portfolio.getPositions()).data.market_positions.find(({ ticker }) => ticker === market.ticker);
  const bestOf = async () => {
    const { data } = await new kalshi.MarketApi(configuration).getMarket(market.ticker);
    return {
      bid: data.market.yes_bid_dollars,
      ask: data.market.yes_ask_dollars,
      size: data.market.yes_ask_size_fp,
    };
  };

  async function refusal(
    request: Promise<unknown>,
  ): Promise<[status: number, code: string, details?: string]> {
    try {
      await request;
    } catch (error) {
      const { response } = error as { response: { status: number; data: { error: kalshi.ErrorResponse } } };
      const { code, details } = response.data.error;
      return details === undefined ? [response.status, code!] : [response.status, code!, details];
    }
    throw new assert.AssertionError({ message: 'was accepted' });
  }

  it('fills a bid at the ask and pays price and fee, rounded up to the cent', async () => {
    const { ask } = await bestOf();
    const before = Number(await cents());
    const filled = await place('bid', ask, '3', { client_order_id: 'first' });
    assert.deepEqual(
      [filled.fill_count, filled.remaining_count, filled.average_fill_price],
      ['3.00', '0.00', ask],
    );
    const price = Number(ask);
    const fee = Math.ceil(100 * 3 * 0.07 * price * (1 - price) - 1e-6) / 100;
    assert.ok(Math.abs(before - Number(await cents()) - 3 * price - fee) < 1e-9);
    const { data } = await portfolio.getFills();
    const fill = data.fills[0]!;
    assert.deepEqual([fill.order_id, fill.is_taker, fill.outcome_side], [filled.order_id, true, 'yes']);
    assert.ok(Math.abs(Number(fill.fee_cost) - fee) < 1e-9);
    const position = await held();
    assert.equal(position!.position_fp, '3.00');
    assert.ok(Math.abs(Number(position!.market_exposure_dollars) - 3 * price) < 1e-9);
    const { order } = (await orders.getOrder(filled.order_id)).data;
    assert.deepEqual([order.status, order.client_order_id, order.book_side], ['executed', 'first', 'bid']);
  });

  it('fills part of an order at the ask and rests the remainder, which appears in the book', async () => {
    const { ask, size } = await bestOf();
    const placed = await place('bid', ask, (Number(size) + 5).toFixed(2));
    assert.ok(Number(placed.fill_count) > 0 && Number(placed.remaining_count) > 0);
    const book = await new kalshi.MarketApi(configuration).getMarketOrderbook(market.ticker);
    assert.ok(book.data.orderbook_fp.yes_dollars.some(([price]) => price === ask));
    const { order } = (await orders.getOrder(placed.order_id)).data;
    assert.deepEqual([order.status, order.fill_count_fp], ['resting', placed.fill_count]);
    await orders.cancelAllOrders();
  });

  it('rests orders below the bid, and cancels one, several or all of them', async () => {
    const before = Number(await cents());
    const first = await place('bid', '0.01', '10', { post_only: true });
    assert.ok(Math.abs(before - Number(await cents()) - 0.1) < 1e-9, 'reserved');
    const batch = await orders.batchCreateOrdersV2({
      orders: [draft('bid', '0.01', '1'), draft('bid', '0.01', '2.50'), draft('bid', '0.005', '1')],
    });
    const [second, third, bad] = batch.data.orders;
    assert.equal(bad!.error!.details, 'invalid price');
    const resting = async () =>
      (await orders.getOrders(market.ticker, undefined, undefined, undefined, 'resting')).data.orders.length;
    assert.equal(await resting(), 3);
    const { data } = await orders.cancelOrderV2(first.order_id);
    assert.equal(data.reduced_by, '10.00');
    const some = await orders.batchCancelOrdersV2({
      orders: [{ order_id: third!.order_id! }, { order_id: first.order_id }],
    });
    assert.deepEqual(
      some.data.orders.map(({ reduced_by, error }) => [reduced_by, error?.code]),
      [
        ['2.50', undefined],
        ['0.00', 'not_found'],
      ],
    );
    await orders.cancelAllOrders();
    assert.equal(await resting(), 0);
    assert.equal((await orders.getOrder(second!.order_id!)).data.order.status, 'canceled');
    assert.ok(Math.abs(before - Number(await cents())) < 1e-9, 'released');
  });

  it('gets the same error messages as on the real venue', async () => {
    const settled = await new kalshi.EventsApi(configuration).getEvents(
      ...([1, undefined, true, undefined, 'settled', 'KXACCOUNTB'] as const),
    );
    const closed = settled.data.events[0]!.markets![0]!.ticker;
    const { FillOrKill } = kalshi.CreateOrderV2RequestTimeInForceEnum;
    const cases: [kalshi.CreateOrderV2Request, unknown[]][] = [
      [draft('bid', '0.99', '5000'), [400, 'insufficient_balance']],
      [draft('bid', '0.50', '1', { ticker: closed }), [409, 'market_closed']],
      [draft('bid', '0.50', '1', { ticker: 'KXNONE-1-B1' }), [404, 'market_not_found']],
      [draft('bid', '0.01', '1', { client_order_id: 'first' }), [409, 'order_already_exists']],
      [draft('bid', '0.99', '1', { post_only: true }), [400, 'invalid_order', 'post only cross']],
      [
        draft('bid', '0.01', '1', { time_in_force: FillOrKill }),
        [409, 'fill_or_kill_insufficient_resting_volume'],
      ],
      [draft('bid', '0.505', '1'), [400, 'invalid_order', 'invalid price']],
      [draft('bid', '0.50', '0'), [400, 'invalid_order', 'invalid count']],
    ];
    for (const [request, expected] of cases)
      assert.deepEqual(await refusal(orders.createOrderV2(request)), expected, JSON.stringify(request));
  });
});
