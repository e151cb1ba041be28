// Hourly prices of a bracket, from the venue's candlesticks; for old brackets from its archive.

import { roundPrice } from '../../domain/quote.ts';
import type { HttpTransport } from '../http-transport.ts';
import type { FetchPastPrices, PastPrice } from '../source.ts';
import { isGone } from './errors.ts';
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
    const readArchived = (error: unknown) => {
      if (!isGone(error)) throw error;
      return http.getJson(`/historical/markets/${ticker}/candlesticks`, query, signal);
    };
    const isYes = tokenId.endsWith(':yes');
    const candles = readCandles(await http.getJson(path, query, signal).catch(readArchived));
    return candles.flatMap(({ ts, bid, ask }): PastPrice[] => {
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
