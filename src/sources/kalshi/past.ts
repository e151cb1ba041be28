// Past prices of the venue's brackets; old ones are in its archive.

import { roundPrice } from '../../domain/quote.ts';
import type { Query } from '../http-transport.ts';
import type { JsonReads } from '../paced-reads.ts';
import type { FetchPastPrices, PastPrice } from '../source.ts';
import { tickersOf } from './parse.ts';
import { isGone, readCandles } from './wire.ts';

const STEP_MINUTES = 60;

/** Hourly prices of a bracket, from the venue's candlesticks. */
export function createKalshiPriceHistory(http: JsonReads): FetchPastPrices {
  return async (tokenId, { startTs, endTs }, signal) => {
    const [ticker] = tickersOf([tokenId]);
    if (ticker === undefined) return [];
    const path = `/series/${seriesOf(ticker)}/markets/${ticker}/candlesticks`;
    const query = { ...boundsOf('start_ts', startTs, 'end_ts', endTs), period_interval: STEP_MINUTES };
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

function boundsOf(start: string, startTs: number, end: string, endTs: number): Query {
  return { [start]: Math.floor(startTs / 1_000), [end]: Math.ceil(endTs / 1_000) };
}

/** KXTRUTHSOCIAL-26NOV21-B60 -> KXTRUTHSOCIAL */
function seriesOf(ticker: string): string {
  return ticker.slice(0, ticker.indexOf('-'));
}
