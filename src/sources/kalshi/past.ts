// Past prices and trades of the venue's brackets; old ones are in its archive.

import { roundPrice } from '../../domain/book.ts';
import type { PastTrade } from '../../domain/venue-past.ts';
import type { Query } from '../http-transport.ts';
import type { JsonReads } from '../paced-reads.ts';
import type { FetchPastPrices, FetchPastTrades, PastPrice } from '../source.ts';
import { tickersOf } from './parse.ts';
import { isGone, readCandles, readCutoff, readTrades, unexpectedShape } from './wire.ts';

const STEP_MINUTES = 60;
const PAGE_SIZE = 1_000;
const MAX_PAGES = 1_000;

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

/** Trades filled before the cut-off are only in the archive. */
export function createKalshiTradeHistory(http: JsonReads): FetchPastTrades {
  return async function* (event, untilTs, signal) {
    const { startTs } = event.window;
    const cutoff = readCutoff(await http.getJson('/historical/cutoff', {}, signal)).tradesTs;
    for (const [bucket, { yesTokenId }] of event.buckets.entries()) {
      const [ticker] = tickersOf([yesTokenId]);
      if (ticker === undefined) continue;
      const query = { ticker, ...boundsOf('min_ts', startTs, 'max_ts', untilTs), limit: PAGE_SIZE };
      const paths = [
        ...(untilTs > cutoff ? ['/markets/trades'] : []),
        ...(startTs < cutoff ? ['/historical/trades'] : []),
      ];
      for (const path of paths)
        for await (const trades of readPages(http, path, query, signal))
          yield trades
            .map((trade): PastTrade => ({ bucket, taker: 'buy', ...trade }))
            .filter(({ ts }) => ts >= startTs && ts < untilTs);
    }
  };
}

async function* readPages(http: JsonReads, path: string, query: Query, signal: AbortSignal) {
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = await http.getJson(path, { ...query, cursor }, signal).catch((error: unknown) => {
      if (!isGone(error)) throw error;
      return { trades: [] };
    });
    const read = readTrades(found);
    yield read.trades;
    if (read.cursor === null) return;
    if (read.cursor === cursor) break;
    cursor = read.cursor;
  }
  throw unexpectedShape("the trades' cursor");
}

function boundsOf(start: string, startTs: number, end: string, endTs: number): Query {
  return { [start]: Math.floor(startTs / 1_000), [end]: Math.ceil(endTs / 1_000) };
}

/** KXTRUTHSOCIAL-26NOV21-B60 -> KXTRUTHSOCIAL */
function seriesOf(ticker: string): string {
  return ticker.slice(0, ticker.indexOf('-'));
}
