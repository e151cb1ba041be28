// Crypto price markets, as the market lists them.

import type { CryptoMarket } from '../../domain/crypto-market.ts';
import type { FeedStatus } from '../../domain/feed.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { createPollLoop } from '../../runtime/poll-loop.ts';
import { FEEDS, getStaleAfterMs } from '../../sources/feeds.ts';
import type { CryptoSource } from '../../sources/source.ts';
import type { Board } from '../../state/board.ts';
import type { Service } from '../service.ts';
import type { IngestTools } from './feed-loop.ts';

export interface CryptoFeedOptions extends IngestTools {
  source: CryptoSource;
  board: Board;
  /** Version of the last published snapshot, so that versions keep increasing for replicas. */
  initialVersion: number;
}

export function createCryptoFeed(options: CryptoFeedOptions): Service {
  const { source, board, clock, logger } = options;
  let oddity: string | null = null;
  let markets: readonly CryptoMarket[] = [];
  let version = options.initialVersion;
  let feed: FeedStatus = {
    feed: 'market',
    updatedTs: null,
    staleAfterMs: getStaleAfterMs('crypto', options.timeScale),
    problem: null,
  };

  function publish(): void {
    version += 1;
    board.publishCrypto({ version, takenTs: clock.now(), markets, feed, oddity });
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

  return loop;
}
