// A market's trades and candlesticks: one print every seven minutes at the last price.

import { MINUTE_MS } from '../../src/domain/units.ts';
import { hashLabel } from '../../src/runtime/random.ts';
import { chance } from '../chance.ts';
import type { KalshiMarket, KalshiVenue } from './venue.ts';
import { tradeSize } from './venue.ts';
import { contracts, dollars, toIso } from './wire.ts';

const PRINT_MS = 7 * MINUTE_MS;
const MAX_CANDLES = 5_000;

/** Times of a market's prints, newest first. */
export function listPrintTimes({ contract }: KalshiMarket, fromTs: number, untilTs: number): number[] {
  const times: number[] = [];
  const firstTs = Math.max(fromTs, contract.openTs);
  let ts = Math.floor(Math.min(untilTs, contract.closeTs - 1) / PRINT_MS) * PRINT_MS;
  for (; ts >= firstTs; ts -= PRINT_MS) times.push(ts);
  return times;
}

export function toTrade(venue: KalshiVenue, seedKey: number, market: KalshiMarket, ts: number) {
  const { ticker } = market;
  const slot = ts / PRINT_MS;
  const { last } = venue.price(market, ts);
  const isYes = chance(seedKey, hashLabel(ticker), slot, 4) < 0.5;
  return {
    trade_id: `${ticker}-${slot}`,
    ticker,
    count_fp: contracts(tradeSize(seedKey, ticker, slot)),
    yes_price_dollars: dollars(last),
    no_price_dollars: dollars(1 - last),
    taker_outcome_side: isYes ? 'yes' : 'no',
    taker_book_side: isYes ? 'bid' : 'ask',
    created_time: toIso(ts),
    is_block_trade: false,
  };
}

export function listCandles(
  venue: KalshiVenue,
  market: KalshiMarket,
  startTs: number,
  endTs: number,
  periodMinutes: number,
) {
  const stepMs = periodMinutes * MINUTE_MS;
  const candles = [];
  const firstTs = Math.max(startTs, market.contract.openTs);
  const lastTs = Math.min(endTs, market.contract.closeTs - 1);
  for (
    let ts = Math.ceil(firstTs / stepMs) * stepMs;
    ts <= lastTs && candles.length < MAX_CANDLES;
    ts += stepMs
  )
    candles.push(toCandle(venue, market, ts));
  return candles;
}

function toCandle(venue: KalshiVenue, market: KalshiMarket, ts: number) {
  const { bid, ask, last } = venue.price(market, ts);
  const flat = (value: number) => ({
    open_dollars: dollars(value),
    low_dollars: dollars(value),
    high_dollars: dollars(value),
    close_dollars: dollars(value),
  });
  return {
    end_period_ts: Math.floor(ts / 1_000),
    yes_bid: flat(bid ?? 0),
    yes_ask: flat(ask ?? 1),
    price: { ...flat(last), mean_dollars: dollars(last), previous_dollars: dollars(last) },
    volume_fp: contracts(40),
    open_interest_fp: contracts(900),
  };
}
