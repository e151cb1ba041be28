// Quotes of order-book tokens: books by REST, and the market websocket as push.

import type { Quote } from '../../domain/quote.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { HttpTransport } from '../http-transport.ts';
import { chunk, mapWidth } from '../retry.ts';
import type { SocketFactory } from '../socket-session.ts';
import type { QuoteSource } from '../source.ts';
import { asArray } from '../wire-reader.ts';
import { readBook } from './book-wire.ts';
import { quoteOfBook } from './books.ts';
import { hasNoBook, isBatchRefused, unexpectedShape } from './errors.ts';
import { openQuoteStream } from './quote-stream.ts';

export interface QuoteSourceOptions {
  clob: HttpTransport;
  /** Address of the market channel. */
  streamUrl: string;
  createSocket: SocketFactory;
  clock: Clock;
  /** Silence of data after which the stream ends itself. */
  silentAfterMs?: number;
  timeScale?: number;
}

const BATCH_SIZE = 100;
const SINGLE_WIDTH = 4;
/** A book without a usable asset_id or side is not the same as no book. */
const EVERY_BOOK = 'every book (asset_id, bids, asks)';

export function createQuoteSource(options: QuoteSourceOptions): QuoteSource {
  return {
    async fetchQuotes(tokenIds, signal, onUnread = () => {}) {
      const ids = [...new Set(tokenIds)].filter((id) => id !== '');
      const batches = await mapWidth(chunk(ids, BATCH_SIZE), 2, (batch) =>
        fetchBatch(options, batch, signal, onUnread),
      );
      return batches.flat();
    },
    openQuoteStream: (tokenIds, handlers, signal) => openQuoteStream(options, tokenIds, handlers, signal),
  };
}

async function fetchBatch(
  options: QuoteSourceOptions,
  tokenIds: readonly string[],
  signal: AbortSignal,
  onUnread: (problem: string) => void,
): Promise<Quote[]> {
  try {
    const body = tokenIds.map((token_id) => ({ token_id }));
    const list = asArray(await options.clob.postJson('/books', body, signal));
    if (!list) throw unexpectedShape('the list of books');
    const quotes = list.flatMap((value) => toQuotes(value, tokenIds, options.clock.now()));
    if (quotes.length === 0 && list.length > 0) throw unexpectedShape(EVERY_BOOK);
    const unread = list.length - quotes.length;
    if (unread > 0)
      onUnread(`market: ${unread} of ${list.length} books cannot be read (asset_id, bids, asks)`);
    return quotes;
  } catch (error) {
    if (!isBatchRefused(error)) throw error;
    const quotes = await mapWidth(tokenIds, SINGLE_WIDTH, (id) => fetchOne(options, id, signal));
    return quotes.flat();
  }
}

async function fetchOne(options: QuoteSourceOptions, tokenId: string, signal: AbortSignal): Promise<Quote[]> {
  try {
    const value = await options.clob.getJson('/book', { token_id: tokenId }, signal);
    const quotes = toQuotes(value, [tokenId], options.clock.now());
    if (quotes.length === 0) throw unexpectedShape(EVERY_BOOK);
    return quotes;
  } catch (error) {
    if (hasNoBook(error)) return [];
    throw error;
  }
}

function toQuotes(value: unknown, asked: readonly string[], observedTs: number): Quote[] {
  const book = readBook(value);
  return book && asked.includes(book.tokenId) ? [quoteOfBook(book, observedTs)] : [];
}
