// The market websocket: splits subscriptions over connections, maintains the books and forwards quotes.

import type { Clock } from '../../runtime/clock.ts';
import { chunk } from '../retry.ts';
import type { SocketFactory, SocketSessionOptions } from '../socket-session.ts';
import { runSocketSession, SilenceError } from '../socket-session.ts';
import type { QuoteStream, QuoteStreamHandlers } from '../source.ts';
import type { BookMessage } from './book-wire.ts';
import { readBookMessages, tokensOf } from './book-wire.ts';
import { createBooks } from './books.ts';

export interface QuoteStreamOptions {
  streamUrl: string;
  createSocket: SocketFactory;
  clock: Clock;
  silentAfterMs?: number;
  /** Clock speed; 1 for real time. Connecting always takes real time. */
  timeScale?: number;
}

/** The documentation gives different caps per connection; this is below all of them. */
const TOKENS_PER_CONNECTION = 150;
const PING_PERIOD_MS = 10_000;
const OPEN_TIMEOUT_MS = 10_000;
const DEFAULT_SILENT_AFTER_MS = 120_000;
const REOPENED_MS = 20_000;

export function openQuoteStream(
  options: QuoteStreamOptions,
  tokenIds: readonly string[],
  handlers: QuoteStreamHandlers,
  signal: AbortSignal,
): QuoteStream {
  const { silentAfterMs = DEFAULT_SILENT_AFTER_MS } = options;
  const books = createBooks();
  const whole = new AbortController();
  const anyStop = AbortSignal.any([signal, whole.signal]);
  const connections: Connection[] = [];
  let rejectEnded: (error: unknown) => void = () => {};
  const failed = new Promise<void>((_, reject) => {
    rejectEnded = reject;
  });
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

  let dataTs = options.clock.now();
  function accept(message: BookMessage): void {
    dataTs = options.clock.now();
    if (message.kind === 'resolved') handlers.onResolved?.(message);
    for (const quote of books.apply(message, options.clock.now())) handlers.onQuote(quote);
  }
  function addConnection(): void {
    const isAlive = () => options.clock.now() - dataTs < silentAfterMs;
    const connection = openConnection(
      { ...options, silentAfterMs },
      { ...handlers, accept, isAlive, forget: books.drop },
      anyStop,
    );
    connections.push(connection);
    // One lost connection ends the stream: the caller opens a new one.
    connection.ended.catch((error) => {
      rejectEnded(error);
      whole.abort();
    });
  }
  function setTokens(ids: readonly string[]): void {
    const wanted = [...new Set(ids)].filter((id) => id !== '').sort();
    const shares = chunk(wanted, TOKENS_PER_CONNECTION);
    while (connections.length < shares.length && !anyStop.aborted) addConnection();
    connections.forEach((connection, index) => {
      connection.setTokens(shares[index] ?? []);
    });
    books.retain(new Set(wanted));
  }

  const ended = Promise.race([failed, stopped]);
  // The caller may await `ended` late; an early failure must not become an unhandled rejection.
  ended.catch(() => {});
  setTokens(tokenIds);
  return { setTokens, ended };
}

interface Connection {
  setTokens(tokenIds: readonly string[]): void;
  ended: Promise<void>;
}

interface ConnectionHandlers extends QuoteStreamHandlers {
  accept(message: BookMessage): void;
  /** Whether any connection has had data recently. */
  isAlive(): boolean;
  forget(tokenIds: Iterable<string>): void;
}

function openConnection(
  options: QuoteStreamOptions & { silentAfterMs: number },
  handlers: ConnectionHandlers,
  signal: AbortSignal,
): Connection {
  let wanted: readonly string[] = [];
  let subscribed = new Set<string>();
  let send: ((message: unknown) => void) | null = null;
  let hasData = false;
  let isReopened = false;

  function reconcile(): void {
    if (!send) return;
    const next = new Set(wanted);
    const added = wanted.filter((id) => !subscribed.has(id));
    const removed = [...subscribed].filter((id) => !next.has(id));
    if (removed.length > 0) send({ assets_ids: removed, operation: 'unsubscribe' });
    if (added.length > 0) send({ assets_ids: added, operation: 'subscribe', custom_feature_enabled: true });
    subscribed = next;
  }

  function reportBroken(eventType: string): void {
    handlers.onBroken?.(`market stream: a frame cannot be read (${eventType.slice(0, 40)})`);
  }

  /**
   * Where hardly anything is traded, a connection may be silent for long. Only that connection is opened again,
   * which sends its books, unless it never sent any.
   */
  async function follow(): Promise<void> {
    for (;;) {
      hasData = false;
      try {
        await runSocketSession(session, signal);
        return;
      } catch (error) {
        const isQuiet = wanted.length === 0 || (hasData && handlers.isAlive());
        if (!(error instanceof SilenceError && isQuiet)) throw error;
        send = null;
        isReopened = true;
        handlers.forget(subscribed);
      }
    }
  }

  const session: SocketSessionOptions = {
    name: 'market stream',
    url: options.streamUrl,
    createSocket: options.createSocket,
    clock: options.clock,
    pingPeriodMs: PING_PERIOD_MS * (options.timeScale ?? 1),
    openTimeoutMs: OPEN_TIMEOUT_MS * (options.timeScale ?? 1),
    /** Books come at once, unless the subscription is lost. */
    get silentAfterMs() {
      return isReopened && !hasData
        ? Math.min(REOPENED_MS * (options.timeScale ?? 1), options.silentAfterMs)
        : options.silentAfterMs;
    },
    onGarbage: () => reportBroken('no JSON'),
    onOpen(sendMessage) {
      send = sendMessage;
      send({ type: 'market', assets_ids: wanted, initial_dump: true, custom_feature_enabled: true });
      subscribed = new Set(wanted);
      handlers.onOpen?.();
    },
    onJson(value) {
      const messages = readBookMessages(value);
      for (const message of messages) if (message.kind === 'broken') reportBroken(message.eventType);
      // Every subscriber receives new markets, so only our own tokens show that the subscription is alive.
      const own = messages.filter((message) => tokensOf(message).some((tokenId) => subscribed.has(tokenId)));
      for (const message of own) handlers.accept(message);
      const readable = own.filter(({ kind }) => kind !== 'broken');
      if (readable.length > 0) {
        hasData = true;
        handlers.onAlive?.();
      }
      return readable.length > 0;
    },
  };
  return {
    setTokens(tokenIds) {
      wanted = tokenIds;
      reconcile();
    },
    ended: follow(),
  };
}
