// Hourly prices of a bracket, from the venue's candlesticks.

import { roundPrice } from '../../domain/quote.ts';
import type { HttpTransport } from '../http-transport.ts';
import type { FetchPastPrices, PastPrice } from '../source.ts';
import { tickersOf } from './parse.ts';
import { readCandles } from './wire.ts';

const STEP_MINUTES = 60;

export function createKalshiPriceHistory(http: HttpTransport): FetchPastPrices {
  return async (tokenId, { startTs, endTs }, signal) => {
    const [ticker] = tickersOf([tokenId]);
    if (ticker === undefined) return [];
    const path = `/series/${seriesOf(ticker)}/markets/${ticker}/candlesticks`;
    const query = {
      start_ts: Math.floor(startTs / 1_000),
      end_ts: Math.ceil(endTs / 1_000),
      period_interval: STEP_MINUTES,
    };
    const isYes = tokenId.endsWith(':yes');
    return readCandles(await http.getJson(path, query, signal)).flatMap(({ ts, bid, ask }): PastPrice[] => {
      if (bid === null || ask === null) return [];
      const mid = roundPrice((bid + ask) / 2);
      return [{ ts, price: isYes ? mid : roundPrice(1 - mid) }];
    });
  };
}

/** KXTRUTHSOCIAL-26NOV21-B60 -> KXTRUTHSOCIAL */
function seriesOf(ticker: string): string {
  return ticker.slice(0, ticker.indexOf('-'));
}
