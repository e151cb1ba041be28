// Prices of a venue's open buckets: one websocket for all accounts, REST while it is silent.

import type { VenueId } from '../../domain/contract.ts';
import { nameFeed } from '../../domain/feed.ts';
import { isActiveAt } from '../../domain/market-event.ts';
import type { Quote } from '../../domain/quote.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import { createPollLoop } from '../../runtime/poll-loop.ts';
import { createRepeat, type Repeat } from '../../runtime/repeat.ts';
import { FEEDS } from '../../sources/feeds.ts';
import type { QuoteSource, QuoteStream, SeenQuote } from '../../sources/source.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';
import type { BookRecorder } from '../recorder/book-recorder.ts';
import type { Service } from '../service.ts';
import type { IngestTools } from './feed-loop.ts';
import { createPriceProblems } from './price-problems.ts';

export interface PriceFeedOptions extends IngestTools {
  /** An additional venue; absent for the first one. */
  venue?: VenueId;
  source: QuoteSource;
  recorders: readonly AccountRecorder[];
  /** Receives every book, including those between two writes. */
  books?: Pick<BookRecorder, 'note' | 'confirm'>;
}

/** Data older than this on an open socket means that it stalled. */
const STREAM_STALL_MS = 20_000;
/** Quotes are gathered this long before they are written: one commit per burst. */
const GATHER_MS = 200;
const RECONNECT_MS = 2_000;
/** For a stream that keeps refusing; prices are polled meanwhile. */
const MAX_RECONNECT_MS = 30_000;
/** How often a healthy stream is supplemented by a check of which tokens have a book. */
const CHECK_MS = 60_000;

export function createPriceFeed(options: PriceFeedOptions): Service {
  const { source, recorders, clock, logger, venue } = options;
  const name = nameFeed({ feed: 'prices', ...(venue === undefined ? {} : { venue }) });
  const listTokens = (among = recorders) => openTokens(among, clock.now(), venue);
  const gathered = new Map<string, Quote>();
  const problems = createPriceProblems(clock, name);
  let dataTs = Number.NEGATIVE_INFINITY;
  let askedTs = Number.NEGATIVE_INFINITY;
  let refusals = 0;
  let isChecking = false;
  let checking: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  let stream: QuoteStream | null = null;
  let isStopped = false;
  let flushing: Promise<void> = Promise.resolve();
  let isFlushDue = false;
  let cancelFlush = () => {};

  function gather(quote: SeenQuote): void {
    if (isStopped) return;
    const seen = withLastTrade(quote);
    options.books?.note(seen);
    gathered.set(seen.tokenId, withoutDepth(seen));
    if (isFlushDue) return;
    isFlushDue = true;
    cancelFlush = clock.after(GATHER_MS, flush);
  }

  /** Sequential, so that awaiting the last write awaits all. */
  function flush(): void {
    isFlushDue = false;
    const quotes = [...gathered.values()];
    gathered.clear();
    if (quotes.length === 0) return;
    flushing = flushing
      .then(() => share(quotes))
      .catch((error: unknown) => logger.error({ error: errorMessage(error) }, 'quotes not stored'));
  }

  /** Snapshots of books may omit the last trade, which remains the last one. */
  function withLastTrade(seen: SeenQuote): SeenQuote {
    if (seen.lastTradePrice !== null) return seen;
    const known = recorders.map((recorder) => recorder.snapshot().quotes[seen.tokenId]);
    return { ...seen, lastTradePrice: known.find((quote) => quote)?.lastTradePrice ?? null };
  }

  /** Archives exactly what is shown. */
  async function accept(seen: readonly SeenQuote[]): Promise<void> {
    for (const quote of seen) options.books?.note(quote);
    await share(seen.map(withoutDepth));
  }

  /** Each account gets the quotes of its tokens. */
  async function share(quotes: readonly Quote[]): Promise<void> {
    const byToken = new Map(quotes.map((quote) => [quote.tokenId, quote]));
    for (const recorder of recorders) {
      const mine = listTokens([recorder]).flatMap((tokenId) => byToken.get(tokenId) ?? []);
      if (mine.length > 0) await recorder.readQuotes(mine);
    }
  }

  /** A token without a book has an empty quote: nothing can be bought there at any listed price. */
  async function askAll(tokenIds: readonly string[], signal: AbortSignal): Promise<SeenQuote[]> {
    askedTs = clock.now();
    const sentTs = askedTs;
    const quotes = await source.fetchQuotes(tokenIds, signal, problems.note);
    if (quotes.length === 0) throw noneKnown(tokenIds.length);
    const answered = new Set(quotes.map(({ tokenId }) => tokenId));
    const missing = tokenIds.filter((id) => !answered.has(id));
    const known = collectQuotes(recorders);
    // Quotes pushed meanwhile are newer.
    const blanks = missing.filter((id) => (known.get(id)?.observedTs ?? 0) <= sentTs);
    return [...quotes.map(withLastTrade), ...blanks.map((id) => emptyQuote(id, known.get(id), clock.now()))];
  }

  /**
   * Beside a healthy stream: which tokens have no book, and which have one it has not mentioned. Not awaited:
   * unresponsive books must not affect the stream.
   */
  async function check(tokenIds: readonly string[]): Promise<void> {
    try {
      const quotes = await askAll(tokenIds, stopping.signal);
      const known = collectQuotes(recorders);
      await accept(quotes.filter((quote) => isEmpty(quote) || isEmpty(known.get(quote.tokenId))));
    } catch (error) {
      logger.debug({ error: errorMessage(error) }, 'order book check failed; stream continues');
    }
  }

  function checkSoon(tokenIds: readonly string[]): void {
    if (isChecking || clock.now() - askedTs < CHECK_MS * options.timeScale) return;
    isChecking = true;
    checking = check(tokenIds).finally(() => {
      isChecking = false;
    });
  }

  const following = createRepeat({
    clock,
    pauseMs: () => Math.min(RECONNECT_MS * 2 ** refusals, MAX_RECONNECT_MS),
    async run(signal) {
      const stall = new AbortController();
      const watch = watchStall(stall);
      try {
        stream = source.openQuoteStream(
          listTokens(),
          {
            onQuote: gather,
            onBroken: problems.note,
            onAlive: () => {
              dataTs = clock.now();
              refusals = 0;
            },
          },
          AbortSignal.any([signal, stall.signal]),
        );
        await stream.ended;
      } finally {
        await watch.stop();
        stream = null;
      }
    },
    onError: (error) => {
      // Logged once: a refusing address would fill the log.
      const level = refusals === 0 ? 'warn' : 'debug';
      refusals = Math.min(refusals + 1, 10);
      logger[level]({ error: errorMessage(error) }, 'price stream ended; polling by REST');
    },
  });

  /** A socket can stay open and go silent: only the age of data shows it. */
  function watchStall(stall: AbortController): Repeat {
    const openedTs = clock.now();
    const watch = createRepeat({
      clock,
      firstPauseMs: STREAM_STALL_MS / 4,
      pauseMs: STREAM_STALL_MS / 4,
      run() {
        const silentMs = clock.now() - Math.max(dataTs, openedTs);
        const isStalled = silentMs > STREAM_STALL_MS * options.timeScale;
        if (isStalled && listTokens().length > 0) stall.abort();
      },
    });
    void watch.start();
    return watch;
  }

  const loop = createPollLoop({
    ...options,
    name,
    periodMs: FEEDS.prices.pollPeriodMs,
    timeoutMs: FEEDS.prices.timeoutMs * options.timeScale,
    maxBackoffMs: FEEDS.prices.maxBackoffMs,
    async runOnce(signal) {
      const tokenIds = listTokens();
      stream?.setTokens(tokenIds);
      const isStreamFresh = clock.now() - dataTs < FEEDS.prices.pollPeriodMs * 2;
      if (tokenIds.length > 0) {
        if (!isStreamFresh) await accept(await askAll(tokenIds, signal));
        else checkSoon(tokenIds);
        options.books?.confirm(tokenIds);
      }
      await problems.publish(recorders);
      for (const recorder of recorders) {
        // Before any event is listed there is nothing to request.
        if (venue !== undefined || recorder.snapshot().events.length > 0)
          await recorder.feedAnswered('prices', { venue });
      }
    },
    onError(error) {
      for (const recorder of recorders) {
        void recorder.note({ kind: 'feed-troubled', feed: 'prices', venue, problem: errorMessage(error) });
      }
    },
  });

  return {
    start() {
      void following.start();
      loop.start();
    },
    async stop() {
      isStopped = true;
      cancelFlush();
      stopping.abort();
      await Promise.all([loop.stop(), following.stop(), checking]);
      flush();
      await flushing;
    },
  };
}

/** Known facts about every token, gathered once for all requests. */
function collectQuotes(recorders: readonly AccountRecorder[]): Map<string, Quote> {
  return new Map(recorders.flatMap((recorder) => Object.entries(recorder.snapshot().quotes)));
}

function withoutDepth({ depth: _, ...quote }: SeenQuote): Quote {
  return quote;
}

function isEmpty(quote: Quote | undefined): boolean {
  return !quote || (quote.bid === null && quote.ask === null);
}

function emptyQuote(tokenId: string, known: Quote | undefined, observedTs: number): Quote {
  const lastTradePrice = known?.lastTradePrice ?? null;
  return { tokenId, bid: null, ask: null, bidShares: null, askShares: null, lastTradePrice, observedTs };
}

function noneKnown(asked: number): SourceError {
  return new SourceError(`prices: the market has none of the ${asked} requested books`, {
    isRetryable: true,
  });
}

/** Yes and No tokens of the buckets that can still be traded. */
function openTokens(
  recorders: readonly AccountRecorder[],
  nowTs: number,
  venue: VenueId | undefined,
): string[] {
  return recorders.flatMap((recorder) =>
    recorder
      .snapshot()
      .events.filter(({ event }) => event.terms?.venue === venue && isActiveAt(event.window, nowTs))
      .flatMap(({ event }) => event.buckets.filter((bucket) => bucket.isOpen))
      .flatMap((bucket) => [bucket.yesTokenId, bucket.noTokenId]),
  );
}
