// The venue's `orderbook_delta` channel: books are built from a snapshot and deltas. Each subscription numbers
// its own frames, and a gap in one of them ends the stream.

import type { Clock } from '../../runtime/clock.ts';
import { SourceError } from '../../runtime/errors.ts';
import { runSocketSession, type SocketFactory } from '../socket-session.ts';
import type { QuoteStream, QuoteStreamHandlers } from '../source.ts';
import { asRecord, readName, readNumber, readPrice, type WireRecord } from '../wire-reader.ts';
import { quotesOfBook, tickersOf } from './parse.ts';
import type { SignRequest } from './signing.ts';
import { type LevelWire, readLevels } from './wire.ts';

export interface BookStreamOptions {
  streamUrl: string;
  createSocket: SocketFactory;
  clock: Clock;
  sign: SignRequest;
  timeScale?: number;
}

interface Book {
  yes: Map<number, number>;
  no: Map<number, number>;
}

const OPEN_TIMEOUT_MS = 10_000;

export function openBookStream(
  options: BookStreamOptions,
  tokenIds: readonly string[],
  handlers: QuoteStreamHandlers,
  signal: AbortSignal,
): QuoteStream {
  const { clock, sign, streamUrl } = options;
  const books = new Map<string, Book>();
  let wanted = tickersOf(tokenIds);
  let subscribed: readonly string[] = [];
  let send: ((message: unknown) => void) | null = null;
  const lastSeqs = new Map<number, number>();
  let commandId = 0;

  function subscribe(): void {
    const added = wanted.filter((ticker) => !subscribed.includes(ticker));
    if (!send || added.length === 0) return;
    const params = { channels: ['orderbook_delta'], market_tickers: added };
    send({ id: ++commandId, cmd: 'subscribe', params });
    subscribed = [...subscribed, ...added];
  }

  /** A missing number means a lost delta. */
  function checkSequence(frame: WireRecord): void {
    const seq = readNumber(frame, 'seq');
    if (seq === null) return;
    const sid = readNumber(frame, 'sid') ?? 0;
    const expected = (lastSeqs.get(sid) ?? seq - 1) + 1;
    if (seq !== expected)
      throw new SourceError(`kalshi stream: frame ${expected} of subscription ${sid} is missing`, {
        isRetryable: true,
      });
    lastSeqs.set(sid, seq);
  }

  function accept(frame: WireRecord): boolean {
    const type = readName(frame, 'type');
    if (type === 'error') throw refusal(asRecord(frame.msg));
    checkSequence(frame);
    const message = asRecord(frame.msg);
    const ticker = message && readName(message, 'market_ticker');
    if (!message || !ticker) return false;
    if (type === 'orderbook_snapshot') books.set(ticker, readSnapshot(message));
    else if (type !== 'orderbook_delta' || !applyDelta(books.get(ticker), message)) return false;
    const { yes, no } = books.get(ticker)!;
    const book = { ticker, yesBids: toLevels(yes), noBids: toLevels(no) };
    for (const quote of quotesOfBook(book, null, clock.now())) handlers.onQuote(quote);
    handlers.onAlive?.();
    return true;
  }

  const ended = runSocketSession(
    {
      name: 'kalshi stream',
      url: streamUrl,
      createSocket: (url) => options.createSocket(url, sign('GET', new URL(url).pathname, clock.now())),
      clock,
      pingPeriodMs: null,
      openTimeoutMs: OPEN_TIMEOUT_MS * (options.timeScale ?? 1),
      silentAfterMs: null,
      onOpen(sendMessage) {
        send = sendMessage;
        subscribe();
        handlers.onOpen?.();
      },
      onJson: (value) => accept(asRecord(value) ?? {}),
    },
    signal,
  );
  ended.catch(() => {});
  return {
    setTokens(ids) {
      wanted = tickersOf(ids);
      subscribe();
    },
    ended,
  };
}

function readSnapshot(message: WireRecord): Book {
  return { yes: toMap(readLevels(message.yes_dollars_fp)), no: toMap(readLevels(message.no_dollars_fp)) };
}

/** Ignores an unreadable delta, and one that arrives before the snapshot. */
function applyDelta(book: Book | undefined, message: WireRecord): boolean {
  const price = readPrice(message, 'price_dollars');
  const delta = readNumber(message, 'delta_fp');
  const side = readName(message, 'side');
  if (!book || price === null || delta === null || (side !== 'yes' && side !== 'no')) return false;
  const left = Math.round(((book[side].get(price) ?? 0) + delta) * 100) / 100;
  if (left > 0) book[side].set(price, left);
  else book[side].delete(price);
  return true;
}

function toMap(levels: readonly LevelWire[]): Map<number, number> {
  return new Map(levels.map(({ price, shares }) => [price, shares]));
}

function toLevels(side: ReadonlyMap<number, number>): LevelWire[] {
  return [...side].map(([price, shares]) => ({ price, shares }));
}

function refusal(message: WireRecord | null): SourceError {
  const text = (message && readName(message, 'msg')) ?? 'no reason given';
  return new SourceError(`kalshi stream: refused: ${text}`, { isRetryable: true });
}
