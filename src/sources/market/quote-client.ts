// Quotes for order-book tokens: books over REST, and pushed quotes from the market websocket.

import type { Clock } from '../../runtime/clock.ts';
import type { HttpTransport } from '../http-transport.ts';
import { chunk, mapWidth } from '../retry.ts';
import type { SocketFactory } from '../socket-session.ts';
import type { FetchBooks, QuoteSource, WholeBook } from '../source.ts';
import { asArray } from '../wire-reader.ts';
import { type BookWire, readBook } from './book-wire.ts';
import { quoteOfBook } from './books.ts';
import { hasNoBook, isBatchRefused, unexpectedShape } from './errors.ts';
import { openQuoteStream } from './quote-stream.ts';

export interface QuoteSourceOptions {
  clob: HttpTransport;
  /** Address of the market channel. */
  streamUrl: string;
  createSocket: SocketFactory;
  clock: Clock;
  /** How long the stream may go without data before it ends. */
  silentAfterMs?: number;
  timeScale?: number;
}

const BATCH_SIZE = 100;
const SINGLE_WIDTH = 4;
/** Lists the fields in the error message, because an unreadable book is not the same as a missing book. */
const EVERY_BOOK = 'every book (asset_id, bids, asks)';

export function createQuoteSource(options: QuoteSourceOptions): QuoteSource {
  return {
    async fetchQuotes(tokenIds, signal, onUnread = () => {}) {
      const books = await fetchBooks(options, tokenIds, signal, onUnread);
      return books.map(({ book, observedTs }) => quoteOfBook(book, observedTs));
    },
    openQuoteStream: (tokenIds, handlers, signal) => openQuoteStream(options, tokenIds, handlers, signal),
  };
}

export function createBookReader(options: BookOptions): FetchBooks {
  return async (tokenIds, signal) =>
    (await fetchBooks(options, tokenIds, signal, () => {})).map(({ book }) => sortLevels(book));
}

function sortLevels({ tokenId, bids, asks }: BookWire): WholeBook {
  return {
    tokenId,
    bids: bids.toSorted((left, right) => right.price - left.price),
    asks: asks.toSorted((left, right) => left.price - right.price),
  };
}

interface SeenBook {
  book: BookWire;
  observedTs: number;
}

type BookOptions = Pick<QuoteSourceOptions, 'clob' | 'clock'>;

async function fetchBooks(
  options: BookOptions,
  tokenIds: readonly string[],
  signal: AbortSignal,
  onUnread: (problem: string) => void,
): Promise<SeenBook[]> {
  const ids = [...new Set(tokenIds)].filter((id) => id !== '');
  const batches = await mapWidth(chunk(ids, BATCH_SIZE), 2, (batch) =>
    fetchBatch(options, batch, signal, onUnread),
  );
  return batches.flat();
}

async function fetchBatch(
  options: BookOptions,
  tokenIds: readonly string[],
  signal: AbortSignal,
  onUnread: (problem: string) => void,
): Promise<SeenBook[]> {
  try {
    const body = tokenIds.map((token_id) => ({ token_id }));
    const list = asArray(await options.clob.postJson('/books', body, signal));
    if (!list) throw unexpectedShape('the list of books');
    const books = list.flatMap((value) => toBooks(value, tokenIds, options.clock.now()));
    if (books.length === 0 && list.length > 0) throw unexpectedShape(EVERY_BOOK);
    const unread = list.length - books.length;
    if (unread > 0)
      onUnread(`market: ${unread} of ${list.length} books cannot be read (asset_id, bids, asks)`);
    return books;
  } catch (error) {
    if (!isBatchRefused(error)) throw error;
    const books = await mapWidth(tokenIds, SINGLE_WIDTH, (id) => fetchOne(options, id, signal));
    return books.flat();
  }
}

async function fetchOne(options: BookOptions, tokenId: string, signal: AbortSignal): Promise<SeenBook[]> {
  try {
    const value = await options.clob.getJson('/book', { token_id: tokenId }, signal);
    const books = toBooks(value, [tokenId], options.clock.now());
    if (books.length === 0) throw unexpectedShape(EVERY_BOOK);
    return books;
  } catch (error) {
    if (hasNoBook(error)) return [];
    throw error;
  }
}

function toBooks(value: unknown, asked: readonly string[], observedTs: number): SeenBook[] {
  const book = readBook(value);
  return book && asked.includes(book.tokenId) ? [{ book, observedTs }] : [];
}
