// Contracts, books and trades in the venue's wire format: decimal strings, bids only.

import type { BucketRange } from '../../src/domain/market-event.ts';
import { civilDay, easternDayNumber } from '../eastern-time.ts';
import type { BookLevel } from '../market/quotes.ts';
import type { KalshiContract } from './contracts.ts';
import type { KalshiMarket, KalshiVenue } from './venue.ts';

export function toIso(ts: number): string {
  return new Date(ts).toISOString();
}

/** Four decimals, as the venue writes dollars. */
export function dollars(value: number): string {
  return value.toFixed(4);
}

/** Two decimals, as the venue writes numbers of contracts. */
export function contracts(value: number): string {
  return value.toFixed(2);
}

export type ContractStatus = 'unopened' | 'open' | 'closed' | 'settled';

export function statusOf({ openTs, closeTs, settleTs }: KalshiContract, nowTs: number): ContractStatus {
  if (nowTs < openTs) return 'unopened';
  if (nowTs < closeTs) return 'open';
  return nowTs < settleTs ? 'closed' : 'settled';
}

export const SETTLEMENT_SOURCES = [{ name: 'Roll Call', url: 'https://rollcall.example/factbase/social/' }];

export function toEventWire(
  venue: KalshiVenue,
  contract: KalshiContract,
  displayName: string,
  nowTs: number,
  withMarkets: boolean,
) {
  return {
    event_ticker: contract.ticker,
    series_ticker: contract.seriesTicker,
    sub_title: titleOf(contract),
    title: questionOf(contract, displayName),
    collateral_return_type: 'MECNET',
    mutually_exclusive: true,
    category: 'Politics',
    strike_date: null,
    strike_period: contract.kind === 'day' ? 'day' : 'week',
    product_metadata: null,
    settlement_sources: SETTLEMENT_SOURCES,
    last_updated_ts: toIso(contract.openTs),
    exchange_index: 0,
    ...(withMarkets
      ? { markets: venue.markets(contract).map((market) => toMarketWire(venue, market, displayName, nowTs)) }
      : {}),
  };
}

function questionOf(contract: KalshiContract, displayName: string): string {
  return `How many posts will ${displayName} make ${titleOf(contract)}?`;
}

function titleOf({ window, kind }: KalshiContract): string {
  const lastDay = toIso(window.endTs - 12 * 3_600_000).slice(0, 10);
  return kind === 'day' ? `on ${lastDay}` : `in the week ending ${lastDay}`;
}

/** In the venue's words. */
function periodWords({ window: { startTs, endTs } }: KalshiContract): string {
  const day = (ts: number) => {
    const { monthName, day: date, year } = civilDay(easternDayNumber(ts));
    return `${monthName.slice(0, 3)} ${date}, ${year}`;
  };
  return `The observation period begins at 12:00 AM ET on ${day(startTs)} and ends at 11:59 PM ET on ${day(endTs - 1)}.`;
}

export function toMarketWire(venue: KalshiVenue, market: KalshiMarket, displayName: string, nowTs: number) {
  const { contract, range, ticker } = market;
  const { last } = venue.price(market, nowTs);
  const book = venue.book(market, nowTs);
  const [bid, ask] = [book.bids[0]?.price ?? null, book.asks[0]?.price ?? null];
  const final = venue.finalCount(contract, nowTs);
  const isOther = contract.kind === 'other';
  return {
    ticker,
    event_ticker: contract.ticker,
    market_type: 'binary',
    title: questionOf(contract, displayName),
    yes_sub_title: wordsOf(range),
    no_sub_title: wordsOf(range),
    created_time: toIso(contract.openTs),
    updated_time: toIso(contract.openTs),
    open_time: toIso(contract.openTs),
    close_time: toIso(contract.closeTs),
    expected_expiration_time: toIso(contract.settleTs),
    latest_expiration_time: toIso(contract.settleTs + 7 * 86_400_000),
    settlement_timer_seconds: 3_600,
    status: marketStatus(contract, nowTs),
    yes_bid_dollars: dollars(bid ?? 0),
    yes_bid_size_fp: contracts(book.bids[0]?.shares ?? 0),
    yes_ask_dollars: dollars(ask ?? 1),
    yes_ask_size_fp: contracts(book.asks[0]?.shares ?? 0),
    no_bid_dollars: dollars(ask === null ? 0 : 1 - ask),
    no_ask_dollars: dollars(bid === null ? 1 : 1 - bid),
    last_price_dollars: dollars(last),
    previous_yes_bid_dollars: dollars(bid ?? 0),
    previous_yes_ask_dollars: dollars(ask ?? 1),
    previous_price_dollars: dollars(last),
    volume_fp: contracts(1_250),
    volume_24h_fp: contracts(310),
    open_interest_fp: contracts(900),
    notional_value_dollars: dollars(1),
    result: final === null ? '' : isIn(range, final) ? 'yes' : 'no',
    can_close_early: false,
    expiration_value: final === null ? '' : String(final),
    ...(final === null
      ? {}
      : {
          settlement_value_dollars: dollars(isIn(range, final) ? 1 : 0),
          settlement_ts: toIso(contract.settleTs),
        }),
    ...strikeOf(range),
    rules_primary: isOther
      ? `If ${displayName} deletes ${wordsOf(range)} posts, then the market resolves to Yes.`
      : `If ${displayName} makes ${wordsOf(range)} posts ${titleOf(contract)}, then the market resolves to Yes.`,
    rules_secondary: `${periodWords(contract)} Posts, reposts and quotes count. Posts deleted before the market is settled do not count.`,
    price_level_structure: 'linear_cent',
    price_ranges: [{ start: '0.0100', end: '0.9900', step: '0.0100' }],
    exchange_index: 0,
  };
}

function marketStatus(contract: KalshiContract, nowTs: number): string {
  const names = { unopened: 'initialized', open: 'active', closed: 'closed', settled: 'finalized' } as const;
  return names[statusOf(contract, nowTs)];
}

/** `less` and `greater` exclude their strike, `between` includes both. */
function strikeOf({ lo, hi }: BucketRange): {
  strike_type: string;
  floor_strike?: number;
  cap_strike?: number;
} {
  if (hi === null) return { strike_type: 'greater', floor_strike: lo - 1 };
  if (lo === 0) return { strike_type: 'less', cap_strike: hi + 1 };
  return { strike_type: 'between', floor_strike: lo, cap_strike: hi };
}

function wordsOf({ lo, hi }: BucketRange): string {
  if (hi === null) return `${lo} or more`;
  return lo === 0 ? `${hi} or fewer` : `${lo} to ${hi}`;
}

function isIn({ lo, hi }: BucketRange, count: number): boolean {
  return count >= lo && (hi === null || count <= hi);
}

/** Bids of both sides, worst first; a Yes ask appears as the equivalent No bid. */
export function toBookWire(venue: KalshiVenue, market: KalshiMarket, nowTs: number, depth: number) {
  const { bids, asks } = venue.book(market, nowTs);
  const noBids = asks.map(({ price, shares }) => ({ price: 1 - price, shares }));
  const shown = (levels: readonly BookLevel[]) =>
    (depth > 0 ? levels.slice(0, depth) : levels)
      .map(({ price, shares }) => [dollars(price), contracts(shares)])
      .reverse();
  return { yes_dollars: shown(bids), no_dollars: shown(noBids) };
}
