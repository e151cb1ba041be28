// The venue over HTTP: public reads without a key, portfolio and orders with a signed request.

import { listCandles } from '../kalshi/candles.ts';
import { checkSignature, isRefused } from '../kalshi/signing.ts';
import type { KalshiMarket } from '../kalshi/venue.ts';
import { toBookWire, toMarketWire } from '../kalshi/wire.ts';
import type { KalshiExchange } from '../kalshi-orders/kalshi-exchange.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, readInteger, type SimulatorRequest } from './answer.ts';
import { candlesOf, NOT_FOUND } from './kalshi-answers.ts';
import { createKalshiArchive } from './kalshi-archive.ts';
import { createKalshiListing } from './kalshi-listing.ts';
import { createKalshiPortfolio } from './kalshi-portfolio.ts';

const ROOT = '/trade-api/v2';

export function createKalshiApi(state: SimulatorState, exchange: KalshiExchange) {
  const { venue } = exchange;
  const portfolio = createKalshiPortfolio(exchange);

  const { nameOf, events, event, markets, series, feeChanges } = createKalshiListing(state, venue);
  const readArchive = createKalshiArchive(venue, nameOf);

  function one(ticker: string, nowTs: number, report: (market: KalshiMarket) => Answer): Answer {
    const market = venue.find(ticker, nowTs);
    return market ? report(market) : NOT_FOUND;
  }

  function candles(ticker: string, query: URLSearchParams, nowTs: number): Answer {
    return one(ticker, nowTs, (market) =>
      candlesOf(query, nowTs, (startTs, endTs, minutes) => ({
        ticker,
        candlesticks: listCandles(venue, market, startTs, endTs, minutes),
      })),
    );
  }

  function orderbooks(query: URLSearchParams, nowTs: number): Answer {
    const found = query.getAll('tickers').flatMap((ticker) => venue.find(ticker, nowTs) ?? []);
    return ok({
      orderbooks: found.map((market) => ({
        ticker: market.ticker,
        orderbook_fp: toBookWire(venue, market, nowTs, 0),
      })),
    });
  }

  function read(path: string, query: URLSearchParams, nowTs: number): Answer {
    if (path === '/exchange/status') return ok({ exchange_active: true, trading_active: true });
    if (path === '/events') return events(query, nowTs);
    if (path === '/markets') return markets(query, nowTs);
    if (path === '/markets/orderbooks') return orderbooks(query, nowTs);
    if (path === '/series/fee_changes') return feeChanges(query);
    if (path.startsWith('/historical/')) return readArchive(path, query, nowTs);
    const eventTicker = matchPath('/events/:ticker', path)?.ticker;
    if (eventTicker) return event(eventTicker, query, nowTs);
    const seriesTicker = matchPath('/series/:ticker', path)?.ticker;
    if (seriesTicker) return series(seriesTicker);
    const book = matchPath('/markets/:ticker/orderbook', path)?.ticker;
    if (book) {
      const depth = readInteger(query.get('depth'), 0);
      return one(book, nowTs, (market) => ok({ orderbook_fp: toBookWire(venue, market, nowTs, depth) }));
    }
    const candle = matchPath('/series/:series/markets/:ticker/candlesticks', path)?.ticker;
    if (candle) return candles(candle, query, nowTs);
    const ticker = matchPath('/markets/:ticker', path)?.ticker;
    if (!ticker) return NOT_FOUND;
    return one(ticker, nowTs, (market) =>
      ok({ market: toMarketWire(venue, market, nameOf(market.contract), nowTs) }),
    );
  }

  async function handle(request: SimulatorRequest, nowTs: number): Promise<Answer> {
    const { method, path, query, headers, baseUrl, body } = request;
    if (!path.startsWith(`${ROOT}/`)) return NOT_FOUND;
    const inner = path.slice(ROOT.length);
    const isMembers = inner.startsWith('/portfolio/');
    if (method !== 'GET' && !isMembers)
      return failure(405, { error: { code: 'method_not_allowed', message: 'read only' } });
    if (!needsSignature(inner)) return read(inner, query, nowTs);
    const check = (signed: string) => checkSignature(state.kalshiMembers, headers, method, signed, nowTs);
    const first = check(path);
    // Clients that sign their whole address also sign the simulator's prefix.
    const outcome = isRefused(first) ? check(`${new URL(baseUrl).pathname}${path}`) : first;
    if (isRefused(outcome)) return failure(401, { error: { ...outcome, service: 'auth' } });
    if (!isMembers) return read(inner, query, nowTs);
    return portfolio({ member: outcome, method, path: inner, query, body, nowTs });
  }

  return async (request: SimulatorRequest): Promise<Answer> => {
    const nowTs = state.now();
    const given = await handle(request, nowTs);
    return { ...given, headers: { date: new Date(nowTs).toUTCString(), ...given.headers } };
  };
}

/** Endpoints that require a signature according to the venue's documentation: portfolio and order books. */
function needsSignature(path: string): boolean {
  return path.startsWith('/portfolio/') || /^\/markets\/(?:orderbooks|[^/]+\/orderbook)$/.test(path);
}
