// A market's candlesticks, flat at the last price.

import { MINUTE_MS } from '../../src/domain/units.ts';
import type { KalshiMarket, KalshiVenue } from './venue.ts';
import { contracts, dollars } from './wire.ts';

const MAX_CANDLES = 5_000;

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
