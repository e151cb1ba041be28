// Parsers for Kalshi and Roll Call, and for the responses that orders depend on.

import { completeProfile } from '../../src/domain/account-profile.ts';
import type { ContractSeries } from '../../src/domain/contract.ts';
import { findWinner, parseEvent, quotesOfBook, quotesOfMarket } from '../../src/sources/kalshi/parse.ts';
import {
  readBooks,
  readCandles,
  readEventPage,
  readFeeChanges,
  readMarketPage,
  readPositions,
  readSeries,
} from '../../src/sources/kalshi/wire.ts';
import { parseHistory } from '../../src/sources/market/price-history.ts';
import { countListed, parsePost, readListPage } from '../../src/sources/rollcall/client.ts';
import {
  readBook,
  readFills,
  readOrder,
  readPage,
  readPrint,
  readTerms,
} from '../../src/trading/venue/polymarket/wire.ts';
import { json, type ParserTarget } from './parser-target.ts';

const NOW_TS = Date.UTC(2026, 8, 18, 15);
const ACCOUNT = completeProfile({ accountId: 'b', handle: 'handle', platformUserId: '1' }, 0);
const RULE = { ...ACCOUNT.countingRule, deletedPosts: true };
const SERIES: ContractSeries = {
  venue: 'kalshi',
  series: 'KXPOSTS',
  timeZone: 'America/New_York',
  countingRule: RULE,
  settlementSource: 'rollcall',
};

export function venueTargets(): ParserTarget[] {
  return [...kalshiTargets(), ...postTargets(), ...orderTargets()];
}

const MARKET = {
  ...{ ticker: 'KXPOSTS-26SEP18-B60', event_ticker: 'KXPOSTS-26SEP18', title: 'How many?', result: '' },
  ...{
    status: 'active',
    strike_type: 'between',
    floor_strike: 60,
    cap_strike: 79,
    yes_sub_title: '60 to 79',
  },
  ...{ close_time: '2026-09-19T03:59:00Z', yes_bid_dollars: '0.4100', yes_ask_dollars: '0.4300' },
  ...{ last_price_dollars: '0.4200', price_ranges: [{ start: '0', end: '1', step: '0.01' }] },
};
const EVENT = {
  ...{ event_ticker: 'KXPOSTS-26SEP18', series_ticker: 'KXPOSTS', title: 'How many?' },
  ...{ mutually_exclusive: true, fee_multiplier_override: null },
  markets: [
    { ...MARKET, strike_type: 'less', floor_strike: null, cap_strike: 60 },
    MARKET,
    { ...MARKET, strike_type: 'greater', floor_strike: 79, cap_strike: null },
  ],
};
const KALSHI_SERIES = {
  series: { ticker: 'KXPOSTS', frequency: 'weekly', fee_type: 'quadratic', fee_multiplier: 1 },
};

function kalshiTargets(): ParserTarget[] {
  const context = {
    ...{ accountId: ACCOUNT.accountId, series: SERIES, listed: readSeries(KALSHI_SERIES) },
    ...{ feeChanges: [], nowTs: NOW_TS },
  };
  return [
    sample('kalshi events', { events: [EVENT], cursor: '' }, (input) =>
      readEventPage(input).events.map((event) => [parseEvent(event, context), findWinner(event)]),
    ),
    sample('kalshi markets', { markets: [MARKET], cursor: 'c' }, (input) =>
      readMarketPage(input).markets.flatMap((market) => quotesOfMarket(market, NOW_TS)),
    ),
    sample('kalshi series', KALSHI_SERIES, readSeries),
    sample(
      'kalshi fee changes',
      {
        series_fee_change_arr: [
          { fee_type: 'quadratic', fee_multiplier: 1, scheduled_ts: '2026-09-01T00:00:00Z' },
        ],
      },
      readFeeChanges,
    ),
    sample(
      'kalshi books',
      {
        orderbooks: [
          {
            ticker: MARKET.ticker,
            orderbook_fp: { yes_dollars: [['0.41', '30.00']], no_dollars: [['0.57', '25.00']] },
          },
        ],
      },
      (input) => readBooks(input).flatMap((book) => quotesOfBook(book, null, NOW_TS)),
    ),
    sample(
      'kalshi candles',
      {
        candlesticks: [
          { end_period_ts: 1_789_999_999, yes_bid: { close_dollars: '0.4' }, yes_ask: { close: '0.5' } },
        ],
      },
      readCandles,
    ),
    sample(
      'kalshi positions',
      { market_positions: [{ ticker: MARKET.ticker, position_fp: '-3.00' }], cursor: '' },
      readPositions,
    ),
  ];
}

function postTargets(): ParserTarget[] {
  const post = {
    ...{ id: 'r1', date: '2026-09-18T12:00:00-04:00', platform: 'Truth Social', text: 'RT: a' },
    ...{ post_url: 'https://p.example/@h/116457972455781406', deleted_flag: false },
    social: { quote_flag: false, repost_flag: true },
  };
  const window = { startTs: 0, endTs: NOW_TS };
  return [
    sample('rollcall list', { data: [post, post], error: false }, (input) => {
      const { posts } = readListPage(input);
      return [countListed(posts, window, RULE), posts.map((one) => parsePost(one, ACCOUNT, NOW_TS))];
    }),
    sample('past prices', { history: [{ t: 1_789_999_999, p: 0.4 }] }, parseHistory),
  ];
}

function orderTargets(): ParserTarget[] {
  const order = {
    ...{ id: '0x1', status: 'LIVE', asset_id: '7', side: 'BUY', price: '0.42' },
    ...{ original_size: '10', size_matched: '2.5' },
  };
  const maker = { ...order, order_id: '0x2', owner: 'key-1', matched_amount: '2' };
  const trade = {
    ...{ ...order, taker_order_id: '0x3', size: '4', match_time: '1789999999', maker_orders: [maker] },
    ...{ status: 'TRADE_STATUS_MINED', trader_side: 'TAKER' },
  };
  const level = { price: '0.42', size: '10' };
  const book = {
    ...{ market: '0xc', asset_id: '7', bids: [level], asks: [level] },
    ...{ min_order_size: '5', tick_size: '0.01', neg_risk: true },
  };
  const print = {
    ...{ event_type: 'last_trade_price', asset_id: '7', price: '0.42', size: '3', side: 'SELL' },
    timestamp: '1789999999999',
  };
  const terms = {
    ...{ condition_id: '0xc', closed: true, tokens: [{ token_id: '7', winner: true }] },
    fd: { r: 0.02, e: 1 },
  };
  return [
    sample('own orders', { data: [order], next_cursor: 'LTE=' }, (input) =>
      expectFinite(readPage(input).items.map(readOrder)),
    ),
    sample('own trades', trade, (input) => expectFinite(readFills(input, 'key-1'))),
    sample('order book', book, (input) => expectFinite(readBook(input))),
    sample('market trades', print, (input) => expectFinite(readPrint(input))),
    sample('market terms', terms, async (input) =>
      expectFinite(await readTerms(async () => input, '7', 'shares')),
    ),
  ];
}

/** Rejects NaN, which would pass every limit. */
function expectFinite<T>(value: T): T {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('not a finite number');
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) expectFinite(one);
  return value;
}

function sample(name: string, given: unknown, run: (input: unknown) => unknown): ParserTarget {
  return json(name, [given], run);
}
