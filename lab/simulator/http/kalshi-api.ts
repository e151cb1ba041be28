// The venue over HTTP: public reads without a key, portfolio and orders with a signed request.

import { FEE_MULTIPLIERS, type KalshiContract } from '../kalshi/contracts.ts';
import { listCandles, listTrades } from '../kalshi/prints.ts';
import { checkSignature, isRefused } from '../kalshi/signing.ts';
import type { KalshiMarket } from '../kalshi/venue.ts';
import { SETTLEMENT_SOURCES, statusOf, toBookWire, toEventWire, toMarketWire } from '../kalshi/wire.ts';
import type { KalshiExchange } from '../kalshi-orders/kalshi-exchange.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, readInteger, type SimulatorRequest } from './answer.ts';
import { candlesOf, NOT_FOUND, pageOf } from './kalshi-answers.ts';
import { createKalshiArchive } from './kalshi-archive.ts';
import { createKalshiPortfolio } from './kalshi-portfolio.ts';

const ROOT = '/trade-api/v2';
const MOST_EVENTS = 200;
const MOST_MARKETS = 1_000;
const MOST_TRADES = 1_000;

export function createKalshiApi(state: SimulatorState, exchange: KalshiExchange) {
  const { seedKey } = state;
  const { venue } = exchange;
  const portfolio = createKalshiPortfolio(exchange);

  function nameOf({ accountId }: KalshiContract): string {
    return state.findAccount((one) => one.accountId === accountId)!.parameters.displayName;
  }

  const readArchive = createKalshiArchive(venue, nameOf);

  function events(query: URLSearchParams, nowTs: number): Answer {
    const wanted = query.get('status');
    const tickers = query.get('tickers')?.split(',') ?? null;
    const series = query.get('series_ticker');
    const minCloseTs = readInteger(query.get('min_close_ts'), 0) * 1_000;
    const all = venue
      .contracts(nowTs)
      .filter((contract) => series === null || contract.seriesTicker === series)
      .filter((contract) => wanted === null || statusOf(contract, nowTs) === wanted)
      .filter((contract) => tickers === null || tickers.includes(contract.ticker))
      .filter((contract) => contract.window.endTs > minCloseTs);
    const withMarkets = query.get('with_nested_markets') === 'true';
    const { page, cursor } = pageOf(all, query, MOST_EVENTS, MOST_EVENTS);
    return ok({
      events: page.map((contract) => toEventWire(venue, contract, nameOf(contract), nowTs, withMarkets)),
      cursor,
    });
  }

  function event(ticker: string, query: URLSearchParams, nowTs: number): Answer {
    const contract = venue.contracts(nowTs).find((one) => one.ticker === ticker);
    if (!contract) return NOT_FOUND;
    const withMarkets = query.get('with_nested_markets') === 'true';
    const markets = venue.markets(contract).map((one) => toMarketWire(venue, one, nameOf(contract), nowTs));
    return ok({ event: toEventWire(venue, contract, nameOf(contract), nowTs, withMarkets), markets });
  }

  function markets(query: URLSearchParams, nowTs: number): Answer {
    const all = venue
      .contracts(nowTs)
      .filter(({ ticker }) => (query.get('event_ticker') ?? ticker) === ticker)
      .filter(({ seriesTicker }) => (query.get('series_ticker') ?? seriesTicker) === seriesTicker)
      .flatMap((contract) => venue.markets(contract))
      .filter(({ ticker }) => (query.get('tickers') ?? ticker).split(',').includes(ticker));
    const { page, cursor } = pageOf(all, query, MOST_MARKETS);
    return ok({
      markets: page.map((market) => toMarketWire(venue, market, nameOf(market.contract), nowTs)),
      cursor,
    });
  }

  function series(ticker: string): Answer {
    const found = state.accounts.find(({ parameters: { kalshi } }) =>
      kalshi ? Object.values(kalshi).includes(ticker) : false,
    );
    return found ? ok({ series: toSeriesWire(ticker, found.parameters.displayName) }) : NOT_FOUND;
  }

  function feeChanges(query: URLSearchParams): Answer {
    const ticker = query.get('series_ticker');
    const isPast = query.get('show_historical') === 'true';
    const tickers = state.accounts.flatMap(({ parameters: { kalshi } }) => (kalshi ? [kalshi.week] : []));
    const scheduled_ts = new Date(state.options.anchorTs).toISOString();
    return ok({
      series_fee_change_arr: tickers
        .filter((one) => isPast && (ticker === null || one === ticker))
        .map((series_ticker) => ({
          id: `fee-${series_ticker}`,
          series_ticker,
          fee_type: 'quadratic',
          fee_multiplier: 1,
          scheduled_ts,
        })),
    });
  }

  function one(ticker: string, nowTs: number, report: (market: KalshiMarket) => Answer): Answer {
    const market = venue.find(ticker, nowTs);
    return market ? report(market) : NOT_FOUND;
  }

  function trades(query: URLSearchParams, nowTs: number): Answer {
    const limit = Math.min(MOST_TRADES, Math.max(1, readInteger(query.get('limit'), 100)));
    const fromTs = readInteger(query.get('min_ts'), 0) * 1_000;
    const untilTs = Math.min(nowTs, readInteger(query.get('max_ts'), Math.floor(nowTs / 1_000)) * 1_000);
    return one(query.get('ticker') ?? '', nowTs, (market) =>
      ok({ trades: listTrades(venue, seedKey, market, fromTs, untilTs, limit), cursor: '' }),
    );
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
    if (path === '/events') return events(query, nowTs);
    if (path === '/markets') return markets(query, nowTs);
    if (path === '/markets/trades') return trades(query, nowTs);
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

  return async ({ method, path, query, headers, baseUrl, body }: SimulatorRequest): Promise<Answer> => {
    const nowTs = state.now();
    if (!path.startsWith(`${ROOT}/`)) return NOT_FOUND;
    const inner = path.slice(ROOT.length);
    const isMembers = inner.startsWith('/portfolio/');
    if (method !== 'GET' && !isMembers)
      return failure(405, { error: { code: 'method_not_allowed', message: 'read only' } });
    if (!needsSignature(inner)) return read(inner, query, nowTs);
    const signedPath = `${new URL(baseUrl).pathname}${path}`;
    const outcome = checkSignature(state.kalshiMembers, headers, method, signedPath, nowTs);
    if (isRefused(outcome)) return failure(401, { error: { ...outcome, service: 'auth' } });
    if (!isMembers) return read(inner, query, nowTs);
    return portfolio({ member: outcome, method, path: inner, query, body, nowTs });
  };
}

/** Signed endpoints by the venue's documentation: portfolio and order books. */
function needsSignature(path: string): boolean {
  return path.startsWith('/portfolio/') || /^\/markets\/(?:orderbooks|[^/]+\/orderbook)$/.test(path);
}

function toSeriesWire(ticker: string, displayName: string) {
  return {
    ticker,
    frequency: ticker.endsWith('D') ? 'daily' : 'weekly',
    title: `Posts of ${displayName}`,
    category: 'Politics',
    categories: ['Politics'],
    tags: ['Social media'],
    settlement_sources: SETTLEMENT_SOURCES,
    contract_url: 'https://kalshi.example/contract.pdf',
    contract_terms_url: 'https://kalshi.example/terms.pdf',
    fee_type: 'quadratic',
    fee_multiplier: FEE_MULTIPLIERS[ticker.endsWith('D') ? 'day' : 'week'],
    additional_prohibitions: [],
  };
}
