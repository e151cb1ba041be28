// A venue's price stream, reopened whenever it ends, is refused or goes silent.

import type { Quote } from '../../domain/quote.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat, type Repeat } from '../../runtime/repeat.ts';
import type { QuoteSource, QuoteStream } from '../../sources/source.ts';

export interface PriceStreamOptions {
  source: QuoteSource;
  clock: Clock;
  logger: Logger;
  timeScale: number;
  listTokens(): string[];
  onQuote(quote: Quote): void;
  onBroken(problem: string): void;
}

export interface PriceStream extends Pick<Repeat, 'start' | 'stop'> {
  setTokens(tokenIds: readonly string[]): void;
  /** When the stream last sent data. */
  dataTs(): number;
  /** Since when it has opened, perhaps several times, without sending data; null otherwise. */
  muteSinceTs(): number | null;
}

/** If an open socket has sent nothing for this long, it has stalled. */
const STALL_MS = 20_000;
const RECONNECT_MS = 2_000;
/** Longest pause for a stream that keeps being refused; prices are polled meanwhile. */
const MAX_RECONNECT_MS = 30_000;

export function createPriceStream(options: PriceStreamOptions): PriceStream {
  const { source, clock, logger, listTokens, onQuote, onBroken } = options;
  let stream: QuoteStream | null = null;
  let dataTs = Number.NEGATIVE_INFINITY;
  let muteSinceTs: number | null = null;
  let refusals = 0;

  function onOpen(): void {
    muteSinceTs ??= clock.now();
  }

  function onAlive(): void {
    dataTs = clock.now();
    muteSinceTs = null;
    refusals = 0;
  }

  /** A socket can stay open but silent, which only the age of its data reveals. */
  function watchStall(stall: AbortController): Repeat {
    const openedTs = clock.now();
    const watch = createRepeat({
      clock,
      firstPauseMs: STALL_MS / 4,
      pauseMs: STALL_MS / 4,
      run() {
        const silentMs = clock.now() - Math.max(dataTs, openedTs);
        const isStalled = silentMs > STALL_MS * options.timeScale;
        if (isStalled && listTokens().length > 0) stall.abort();
      },
    });
    void watch.start();
    return watch;
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const stall = new AbortController();
    const watch = watchStall(stall);
    try {
      const ending = AbortSignal.any([signal, stall.signal]);
      stream = source.openQuoteStream(listTokens(), { onOpen, onQuote, onBroken, onAlive }, ending);
      await stream.ended;
    } finally {
      await watch.stop();
      stream = null;
    }
  }

  const following = createRepeat({
    clock,
    pauseMs: () => Math.min(RECONNECT_MS * 2 ** refusals, MAX_RECONNECT_MS),
    run: follow,
    onError: (error) => {
      // Warns only once, because a server that keeps refusing would fill the log.
      const level = refusals === 0 ? 'warn' : 'debug';
      refusals = Math.min(refusals + 1, 10);
      logger[level]({ error: errorMessage(error) }, 'price stream ended; polling over REST');
    },
  });

  return {
    ...following,
    setTokens(tokenIds) {
      // Nothing can be sent about no tokens.
      if (tokenIds.length === 0) muteSinceTs = null;
      stream?.setTokens(tokenIds);
    },
    dataTs: () => dataTs,
    muteSinceTs: () => muteSinceTs,
  };
}
