// Crypto price markets and their reference prices.

import type { CryptoMarket } from '../../domain/crypto-market.ts';
import type { FeedStatus } from '../../domain/feed.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import { backoffMs, createPollLoop } from '../../runtime/poll-loop.ts';
import { createRepeat, type Repeat } from '../../runtime/repeat.ts';
import { FEEDS, getStaleAfterMs } from '../../sources/feeds.ts';
import type { CryptoSource, ReferencePrice } from '../../sources/source.ts';
import type { Board } from '../../state/board.ts';
import type { Service } from '../service.ts';
import type { IngestTools } from './feed-loop.ts';

export interface CryptoFeedOptions extends IngestTools {
  source: CryptoSource;
  board: Board;
  /** Version of the last published snapshot, so that versions keep increasing for replicas. */
  initialVersion: number;
}

/** Reference prices change many times a second; they are published with the next poll or after this long. */
const PUBLISH_EVERY_MS = 1_000;

export function createCryptoFeed(options: CryptoFeedOptions): Service {
  const { source, board, clock, logger } = options;
  const references = createReferencePrices({ ...options, onChange: publishSoon });
  let oddity: string | null = null;
  let markets: readonly CryptoMarket[] = [];
  let version = options.initialVersion;
  let feed: FeedStatus = {
    feed: 'market',
    updatedTs: null,
    staleAfterMs: getStaleAfterMs('crypto', options.timeScale),
    problem: null,
  };
  let isStopped = false;
  let isPublishDue = false;

  function publish(): void {
    version += 1;
    board.publishCrypto({
      version,
      takenTs: clock.now(),
      markets: markets.map((market) => ({ ...market, referencePrice: references.find(market) })),
      feed,
      referenceProblem: references.problem(),
      oddity,
    });
  }

  function publishSoon(): void {
    if (isPublishDue || isStopped) return;
    isPublishDue = true;
    clock.after(PUBLISH_EVERY_MS, () => {
      isPublishDue = false;
      if (!isStopped) publish();
    });
  }

  /** Logs the problem once, and shows it in health as long as it persists. */
  function reportOddity([first, ...more]: readonly string[]): void {
    const text =
      first === undefined ? null : `${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
    if (text !== null && text !== oddity) logger.warn({ problem: text }, 'crypto markets incomplete');
    oddity = text;
  }

  const loop = createPollLoop({
    ...options,
    periodMs: FEEDS.crypto.pollPeriodMs,
    timeoutMs: FEEDS.crypto.timeoutMs * options.timeScale,
    maxBackoffMs: FEEDS.crypto.maxBackoffMs,
    async runOnce(signal) {
      const oddities: string[] = [];
      markets = await source.fetchMarkets(signal, (one) => oddities.push(one));
      reportOddity(oddities);
      feed = { ...feed, updatedTs: clock.now(), problem: null };
      publish();
    },
    onError(error) {
      feed = { ...feed, problem: errorMessage(error) };
      publish();
    },
  });

  return {
    start() {
      loop.start();
      void references.start();
    },
    async stop() {
      isStopped = true;
      await Promise.all([loop.stop(), references.stop()]);
    },
  };
}

// Reference prices for crypto markets, from one stream that is reopened whenever it ends or is refused.

interface ReferencePriceOptions extends IngestTools {
  source: CryptoSource;
  onChange(): void;
}

interface ReferencePrices extends Pick<Repeat, 'start' | 'stop'> {
  find(market: CryptoMarket): number | null;
  /** Why prices are missing; null if all are available. */
  problem(): string | null;
}

const RECONNECT_MS = 5_000;
const MAX_RECONNECT_MS = 5 * MINUTE_MS;
/** A refusal lasts until the operator acts, and frequent retries would look like an attack. */
const REFUSED_PAUSE_MS = 15 * MINUTE_MS;
/** An older reference price is worse than none. */
const REFERENCE_MAX_AGE_MS = 2 * MINUTE_MS;

function createReferencePrices(options: ReferencePriceOptions): ReferencePrices {
  const { source, clock, logger, onChange } = options;
  const references = new Map<string, ReferencePrice & { receivedTs: number }>();
  let referenceProblem: string | null = null;
  /** Set if the connection works but some requested data is missing. */
  let partialProblem: string | null = null;
  let failures = 0;
  let pauseMs = RECONNECT_MS;

  /** Returns only the kind of price the market settles on: an average is not a spot price. */
  function find({ referenceSource, asset }: CryptoMarket): number | null {
    const known = references.get(`${referenceSource}:${asset}`);
    const isFresh = known && clock.now() - known.receivedTs <= REFERENCE_MAX_AGE_MS * options.timeScale;
    return isFresh ? known.price : null;
  }

  function pauseAfter(error: unknown): number {
    if (error instanceof SourceError && !error.isRetryable) return REFUSED_PAUSE_MS;
    const retryAfterMs = error instanceof SourceError ? error.retryAfterMs : null;
    const limits = { periodMs: RECONNECT_MS, maxBackoffMs: MAX_RECONNECT_MS, random: options.random };
    return retryAfterMs ?? backoffMs(limits, failures, error);
  }

  const following = createRepeat({
    clock,
    pauseMs: () => pauseMs,
    run: (signal) =>
      source.openReferenceStream(
        {
          onOpen() {
            partialProblem = null;
          },
          onProblem(problem) {
            if (problem !== partialProblem) logger.warn({ problem }, 'reference prices incomplete');
            partialProblem = problem;
            onChange();
          },
          onPrice(price) {
            references.set(`${price.source}:${price.asset}`, { ...price, receivedTs: clock.now() });
            failures = 0;
            referenceProblem = null;
            onChange();
          },
        },
        signal,
      ),
    onError(error) {
      failures += 1;
      pauseMs = pauseAfter(error);
      const problem = errorMessage(error);
      if (problem !== referenceProblem) logger.warn({ error: problem, pauseMs }, 'no reference prices');
      referenceProblem = problem;
      onChange();
    },
  });

  return { ...following, find, problem: () => referenceProblem ?? partialProblem };
}
