// Quotes for the venue's brackets: best prices from the public list, plus whole books and a stream with a key.

import { type Quote, roundPrice } from '../../domain/quote.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { SourceError } from '../../runtime/errors.ts';
import type { HttpTransport } from '../http-transport.ts';
import { chunk } from '../retry.ts';
import type { SocketFactory } from '../socket-session.ts';
import type { FetchPastPrices, PastPrice, QuoteSource, QuoteStream } from '../source.ts';
import { explainRefusal, isGone, isUnauthorised } from './errors.ts';
import { quotesOfBook, quotesOfMarket, tickersOf } from './parse.ts';
import { openBookStream } from './quote-stream.ts';
import type { SignRequest } from './signing.ts';
import { readBooks, readCandles, readMarketPage } from './wire.ts';

export interface KalshiQuoteOptions {
  /** Signed if there is a key. */
  http: HttpTransport;
  streamUrl: string;
  createSocket: SocketFactory;
  clock: Clock;
  /** null without a key; then books and the stream are not read. */
  sign: SignRequest | null;
  timeScale?: number;
}

/** Maximum tickers per request. */
const TICKERS_PER_CALL = 100;

export function createKalshiQuotes(options: KalshiQuoteOptions): QuoteSource {
  return {
    async fetchQuotes(tokenIds, signal) {
      const wanted = new Set(tokenIds);
      const found: Quote[] = [];
      for (const tickers of chunk(tickersOf(tokenIds), TICKERS_PER_CALL)) {
        const quotes = options.sign
          ? await fetchBooks(options, tickers, signal)
          : await fetchBest(options, tickers, signal);
        found.push(...quotes.filter(({ tokenId }) => wanted.has(tokenId)));
      }
      return found;
    },
    openQuoteStream: (tokenIds, handlers, signal) =>
      options.sign
        ? openBookStream({ ...options, sign: options.sign }, tokenIds, handlers, signal)
        : silent(signal, options.clock),
  };
}

async function fetchBest(
  { http, clock }: KalshiQuoteOptions,
  tickers: readonly string[],
  signal: AbortSignal,
) {
  const query = { tickers: tickers.join(','), limit: TICKERS_PER_CALL };
  const { markets } = readMarketPage(await http.getJson('/markets', query, signal));
  return markets.flatMap((market) => quotesOfMarket(market, clock.now()));
}

async function fetchBooks({ http, clock }: KalshiQuoteOptions, tickers: string[], signal: AbortSignal) {
  try {
    const books = readBooks(await http.getJson('/markets/orderbooks', { tickers }, signal));
    return books.flatMap((book) => quotesOfBook(book, null, clock.now()));
  } catch (error) {
    if (error instanceof SourceError && isUnauthorised(error)) throw explainRefusal(error);
    throw error;
  }
}

/** Placeholder stream used without a key: it stays open but sends nothing, and prices are polled. */
function silent(signal: AbortSignal, clock: Clock): QuoteStream {
  const ended = (async () => {
    while (!signal.aborted) await sleep(clock, 3_600_000, signal);
  })();
  return { setTokens() {}, ended };
}

const STEP_MINUTES = 60;

/** Hourly prices of a bracket, from the venue's candlesticks; for old brackets from its archive. */
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
