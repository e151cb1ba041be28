// Quotes for order-book tokens: books over REST, and pushed quotes from the market websocket.

import { MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { isBatchRefused } from '../http-status.ts';
import type { HttpTransport } from '../http-transport.ts';
import { chunk, mapWidth } from '../retry.ts';
import type { SocketFactory } from '../socket-session.ts';
import type { QuoteSource } from '../source.ts';
import { asArray } from '../wire-reader.ts';
import { type BookWire, readBook } from './book-wire.ts';
import { quoteOfBook } from './books.ts';
import { openQuoteStream } from './quote-stream.ts';
import { hasNoBook, unexpectedShape } from './wire.ts';

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
/** A third of what the service allows on `/book` (1,500 calls in 10 s). */
const SINGLES_PER_S = 50;
/** A refused batch call is tried again after this long. */
const BATCH_AGAIN_MS = 10 * MINUTE_MS;
/** Lists the fields in the error message, because an unreadable book is not the same as a missing book. */
const EVERY_BOOK = 'every book (asset_id, bids, asks)';

export function createQuoteSource(options: QuoteSourceOptions): QuoteSource {
  const desk = openDesk(options);
  return {
    restriction: () => desk.refusal && `${desk.refusal.reason}; books are read one by one`,
    async fetchQuotes(tokenIds, signal, onUnread = () => {}) {
      const books = await fetchBooks(desk, tokenIds, signal, onUnread);
      return books.map(({ book, observedTs }) => quoteOfBook(book, observedTs));
    },
    openQuoteStream: (tokenIds, handlers, signal) => openQuoteStream(options, tokenIds, handlers, signal),
  };
}

interface SeenBook {
  book: BookWire;
  observedTs: number;
}

type BookOptions = Pick<QuoteSourceOptions, 'clob' | 'clock'>;

/** The book service as one caller knows it. */
interface BookDesk extends BookOptions {
  /** Why the batch call was refused, and when; null while it works. */
  refusal: { reason: string; ts: number } | null;
  /** Resolves when the next single read may be sent. */
  turn(signal: AbortSignal): Promise<void>;
}

function openDesk({ clob, clock }: BookOptions): BookDesk {
  let sentTs: number[] = [];
  async function turn(signal: AbortSignal): Promise<void> {
    const recent = sentTs.filter((ts) => ts > clock.now() - SECOND_MS);
    const dueTs = recent.length < SINGLES_PER_S ? clock.now() : recent.at(-SINGLES_PER_S)! + SECOND_MS;
    sentTs = [...recent, dueTs];
    if (dueTs > clock.now()) await sleep(clock, dueTs - clock.now(), signal);
  }
  return { clob, clock, refusal: null, turn };
}

async function fetchBooks(
  options: BookDesk,
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
  options: BookDesk,
  tokenIds: readonly string[],
  signal: AbortSignal,
  onUnread: (problem: string) => void,
): Promise<SeenBook[]> {
  const { refusal, clock } = options;
  if (refusal && clock.now() - refusal.ts < BATCH_AGAIN_MS) return fetchSingly(options, tokenIds, signal);
  try {
    const body = tokenIds.map((token_id) => ({ token_id }));
    const list = asArray(await options.clob.postJson('/books', body, signal));
    if (!list) throw unexpectedShape('the list of books');
    options.refusal = null;
    const books = list.flatMap((value) => toBooks(value, tokenIds, options.clock.now()));
    if (books.length === 0 && list.length > 0) throw unexpectedShape(EVERY_BOOK);
    const unread = list.length - books.length;
    if (unread > 0)
      onUnread(`market: ${unread} of ${list.length} books cannot be read (asset_id, bids, asks)`);
    return books;
  } catch (error) {
    if (!isBatchRefused(error)) throw error;
    options.refusal = { reason: errorMessage(error), ts: clock.now() };
    return fetchSingly(options, tokenIds, signal);
  }
}

async function fetchSingly(desk: BookDesk, tokenIds: readonly string[], signal: AbortSignal) {
  const books = await mapWidth(tokenIds, SINGLE_WIDTH, async (id) => {
    await desk.turn(signal);
    return fetchOne(desk, id, signal);
  });
  return books.flat();
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
