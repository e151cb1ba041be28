// Crypto price markets and their reference prices.

import type { CryptoMarket } from '../../domain/crypto-market.ts';
import type { FeedStatus } from '../../domain/feed.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { createPollLoop } from '../../runtime/poll-loop.ts';
import { FEEDS, getStaleAfterMs } from '../../sources/feeds.ts';
import type { CryptoSource } from '../../sources/source.ts';
import type { Board } from '../../state/board.ts';
import type { Service } from '../service.ts';
import type { IngestTools } from './feed-loop.ts';
import { createReferencePrices } from './reference-prices.ts';

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
    name: 'crypto',
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
