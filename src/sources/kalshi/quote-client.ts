// Quotes for the venue's brackets: best prices from the public list, plus whole books and a stream with a key.

import type { Quote } from '../../domain/quote.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import { isBatchRefused } from '../http-status.ts';
import type { HttpTransport } from '../http-transport.ts';
import { chunk } from '../retry.ts';
import type { SocketFactory } from '../socket-session.ts';
import type { QuoteSource, QuoteStream } from '../source.ts';
import { quotesOfBook, quotesOfMarket, tickersOf } from './parse.ts';
import { openBookStream } from './quote-stream.ts';
import type { SignRequest } from './signing.ts';
import { explainRefusal, isUnauthorised, readBooks, readMarketPage } from './wire.ts';

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
  let refusal: string | null = null;

  async function fetchSome(tickers: string[], signal: AbortSignal): Promise<Quote[]> {
    if (!options.sign) return fetchBest(options, tickers, signal);
    try {
      const quotes = await fetchBooks(options, tickers, signal);
      refusal = null;
      return quotes;
    } catch (error) {
      if (!isBatchRefused(error)) throw error;
      refusal = errorMessage(error);
      return fetchBest(options, tickers, signal);
    }
  }

  return {
    restriction: () => refusal && `${refusal}; best prices are read from the list of markets`,
    async fetchQuotes(tokenIds, signal) {
      const wanted = new Set(tokenIds);
      const found: Quote[] = [];
      for (const tickers of chunk(tickersOf(tokenIds), TICKERS_PER_CALL))
        found.push(...(await fetchSome(tickers, signal)).filter(({ tokenId }) => wanted.has(tokenId)));
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
