// The venue's archive: contracts that settled before the cut-off, market by market.

import { listCandles } from '../kalshi/candles.ts';
import type { KalshiContract } from '../kalshi/contracts.ts';
import { cutoffTsOf, type KalshiMarket, type KalshiVenue } from '../kalshi/venue.ts';
import { toIso, toMarketWire } from '../kalshi/wire.ts';
import { type Answer, failure, matchPath, ok } from './answer.ts';
import { candlesOf, NOT_FOUND, pageOf } from './kalshi-answers.ts';

const MAX_MARKETS = 1_000;
const FILTERS = ['tickers', 'event_ticker', 'series_ticker'];

export function createKalshiArchive(venue: KalshiVenue, nameOf: (contract: KalshiContract) => string) {
  function listMarkets(nowTs: number, keeps: (market: KalshiMarket) => boolean): KalshiMarket[] {
    return venue
      .archived(nowTs)
      .flatMap((contract) => venue.markets(contract))
      .filter(keeps);
  }

  const present = (market: KalshiMarket, nowTs: number) =>
    toMarketWire(venue, market, nameOf(market.contract), nowTs);

  function markets(query: URLSearchParams, nowTs: number): Answer {
    if (FILTERS.filter((name) => query.has(name)).length > 1)
      return failure(400, { error: { code: 'bad_request', message: 'filters are mutually exclusive' } });
    const tickers = query.get('tickers')?.split(',');
    const all = listMarkets(
      nowTs,
      ({ ticker, contract }) =>
        (tickers?.includes(ticker) ?? true) &&
        (query.get('event_ticker') ?? contract.ticker) === contract.ticker &&
        (query.get('series_ticker') ?? contract.seriesTicker) === contract.seriesTicker,
    );
    const { page, cursor } = pageOf(all, query, MAX_MARKETS);
    return ok({ markets: page.map((market) => present(market, nowTs)), cursor });
  }

  function cutoff(nowTs: number): Answer {
    const ts = toIso(cutoffTsOf(nowTs));
    return ok({ market_settled_ts: ts, trades_created_ts: ts, orders_updated_ts: ts });
  }

  return (path: string, query: URLSearchParams, nowTs: number): Answer => {
    if (path === '/historical/cutoff') return cutoff(nowTs);
    if (path === '/historical/markets') return markets(query, nowTs);
    const wanted =
      matchPath('/historical/markets/:ticker', path) ??
      matchPath('/historical/markets/:ticker/candlesticks', path);
    const [market] = wanted ? listMarkets(nowTs, ({ ticker }) => ticker === wanted.ticker) : [];
    if (!market) return NOT_FOUND;
    if (!path.endsWith('/candlesticks')) return ok({ market: present(market, nowTs) });
    return candlesOf(query, nowTs, (startTs, endTs, minutes) => ({
      ticker: market.ticker,
      candlesticks: listCandles(venue, market, startTs, endTs, minutes).map(withoutUnits),
    }));
  };
}

/** Field names in the archive lack `_dollars` and `_fp`. */
function withoutUnits(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.replace(/_(?:dollars|fp)$/, ''), withoutUnits(inner)]),
  );
}
