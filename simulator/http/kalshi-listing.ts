// Events, markets and series of the venue.

import { FEE_MULTIPLIERS, type KalshiContract } from '../kalshi/contracts.ts';
import type { KalshiVenue } from '../kalshi/venue.ts';
import { SETTLEMENT_SOURCES, statusOf, toEventWire, toMarketWire } from '../kalshi/wire.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, ok, readInteger } from './answer.ts';
import { NOT_FOUND, pageOf } from './kalshi-answers.ts';

const MAX_EVENTS = 200;

const MAX_MARKETS = 1_000;

export function createKalshiListing(state: SimulatorState, venue: KalshiVenue) {
  function nameOf({ accountId }: KalshiContract): string {
    return state.findAccount((one) => one.accountId === accountId)!.parameters.displayName;
  }

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
      .filter((contract) => contract.closeTs >= minCloseTs);
    const withMarkets = query.get('with_nested_markets') === 'true';
    const { page, cursor } = pageOf(all, query, MAX_EVENTS, MAX_EVENTS);
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
    const { page, cursor } = pageOf(all, query, MAX_MARKETS);
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

  return { nameOf, events, event, markets, series, feeChanges };
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
