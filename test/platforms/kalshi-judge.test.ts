// The venue's own client, unmodified, against the simulator's venue over loopback, and our signatures
// compared with its own.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as kalshi from 'kalshi-typescript';
import { KalshiAuth } from 'kalshi-typescript/dist/auth.js';
import { type SimulatorServer, startSimulatorServer } from '../../lab/simulator/server.ts';
import { createSimulator } from '../../lab/simulator/simulator.ts';
import { run } from '../../src/cli/commands/portfolio.ts';
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
  const anchorTs = Math.floor((Date.now() - 30 * DAY_MS) / HOUR_MS) * HOUR_MS;
  const simulator = createSimulator({ seed: 3, anchorTs, clock: systemClock, kalshiMembers: [MEMBER] });
  server = await startSimulatorServer(simulator);
  configuration = new kalshi.Configuration({
    basePath: server.urls.kalshi,
    apiKey: MEMBER.keyId,
    privateKeyPem: privateKey,
  });
});
after(() => server.close());

async function openMarket(): Promise<kalshi.Market> {
  const events = new kalshi.EventsApi(configuration);
  const { data } = await events.getEvents(10, undefined, true, undefined, 'open', 'KXACCOUNTB');
  return data.events[0]!.markets![4]!;
}

describe('kalshi-typescript reads the simulator', () => {
  it('series, events with nested markets by cursor, and markets', async () => {
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

  it('books with bids only on both sides, which leave a spread', async () => {
    const { ticker } = await openMarket();
    const { data } = await new kalshi.MarketApi(configuration).getMarketOrderbook(ticker);
    const best = (side: string[][]) => Math.max(...side.map(([price]) => Number(price)));
    const { yes_dollars, no_dollars } = data.orderbook_fp;
    assert.ok(best(yes_dollars) + best(no_dollars) < 1);
    const batch = await new kalshi.MarketApi(configuration).getMarketOrderbooks([ticker]);
    assert.equal(batch.data.orderbooks[0]!.ticker, ticker);
  });

  it('candlesticks, trades, balance and positions', async () => {
    const market = await openMarket();
    const markets = new kalshi.MarketApi(configuration);
    const span = [nowS - 6 * 3_600, nowS, 60] as const;
    const candles = await markets.getMarketCandlesticks('KXACCOUNTB', market.ticker, ...span);
    assert.ok(candles.data.candlesticks.length >= 5);
    assert.match(candles.data.candlesticks[0]!.yes_bid.close_dollars, /^\d\.\d{4}$/);
    const trades = await markets.getTrades(10, undefined, market.ticker);
    assert.equal(trades.data.trades.length, 10);
    const portfolio = new kalshi.PortfolioApi(configuration);
    assert.equal((await portfolio.getBalance()).data.balance_dollars, '500.0000');
    assert.ok((await portfolio.getPositions()).data.market_positions.length > 0);
  });
});

describe('npx tallycast portfolio --kalshi', () => {
  it("shows the holdings of the key's member", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tallycast-key-'));
    const file = join(folder, 'key.pem');
    writeFileSync(file, privateKey, { mode: 0o600 });
    let text = '';
    const output = { write: (part: string) => void (text += part) };
    const stopSignal = () => new AbortController().signal;
    const env = {
      KALSHI_BASE_URL: server.urls.kalshi,
      KALSHI_KEY_ID: MEMBER.keyId,
      KALSHI_PRIVATE_KEY_FILE: file,
    };
    try {
      await run(['--kalshi'], { env, clock: systemClock, output, notes: output, stopSignal });
    } finally {
      rmSync(folder, { recursive: true });
    }
    assert.match(text, /KXACCOUNTBD?-\S+ +Yes +\d+/);
    assert.match(text, /KXACCOUNTBD?-\S+ +No +\d+/);
  });
});

async function ask(path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.urls.kalshi}${path}`, { headers });
  return { status: response.status, text: await response.text() };
}

describe('signed requests', () => {
  const sign = createSigner({ keyId: MEMBER.keyId, privateKeyPem: privateKey });
  const path = '/portfolio/positions?limit=5';
  const signed = () => `${new URL(server.urls.kalshi).pathname}/portfolio/positions`;

  it('of ours are accepted, with any query', async () => {
    assert.equal((await ask(path, sign('GET', signed(), Date.now()))).status, 200);
  });

  it('with a wrong key, a stale timestamp or a signed query string are refused', async () => {
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

  /** Like a client that signs the whole address. */
  function signQuery(): Record<string, string> {
    const auth = new KalshiAuth(MEMBER.keyId, privateKey);
    return auth.generateAuthHeaders('GET', `${signed()}?limit=5`);
  }

  it("equal the package's own signatures", async () => {
    const auth = new KalshiAuth(MEMBER.keyId, privateKey);
    assert.equal((await ask(path, auth.generateAuthHeaders('GET', signed()))).status, 200);
  });
});
