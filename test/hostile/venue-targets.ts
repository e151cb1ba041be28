// Parsers for Kalshi and Roll Call, and for the responses that orders depend on.

import { completeProfile } from '../../src/domain/account-profile.ts';
import { readCandles, readFeeChanges, readPositions, readSeries } from '../../src/sources/kalshi/wire.ts';
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
import { LIST } from '../support/documented-payloads.ts';
import { json, type ParserTarget } from './parser-target.ts';

const NOW_TS = Date.UTC(2026, 8, 18, 15);
const ACCOUNT = completeProfile({ accountId: 'b', handle: 'handle', platformUserId: '1' }, 0);
const RULE = { ...ACCOUNT.countingRule, deletedPosts: true };
export function venueTargets(): ParserTarget[] {
  return [...kalshiTargets(), ...postTargets(), ...orderTargets()];
}

const KALSHI_SERIES = {
  series: { ticker: 'KXPOSTS', frequency: 'weekly', fee_type: 'quadratic', fee_multiplier: 1 },
};

function kalshiTargets(): ParserTarget[] {
  return [
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
      { market_positions: [{ ticker: 'KXPOSTS-26SEP18-B60', position_fp: '-3.00' }], cursor: '' },
      readPositions,
    ),
  ];
}

function postTargets(): ParserTarget[] {
  const window = { startTs: 0, endTs: NOW_TS };
  return [
    sample('rollcall list', LIST, (input) => {
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
