// Crypto price markets and the reference price that they settle on.

import type { CryptoMarket } from '../domain/crypto-market.ts';
import type { FeedStatus } from '../domain/feed.ts';
import { errorMessage } from '../runtime/errors.ts';
import { createPollLoop } from '../runtime/poll-loop.ts';
import { createRepeat } from '../runtime/repeat.ts';
import { FEEDS, getStaleAfterMs } from '../sources/feeds.ts';
import type { CryptoSource, ReferencePrice } from '../sources/source.ts';
import type { Board } from '../state/board.ts';
import type { IngestTools } from './feed-loop.ts';
import type { Service } from './service.ts';

export interface CryptoFeedOptions extends IngestTools {
  source: CryptoSource;
  board: Board;
  /** Version of the last published snapshot, so that replicas keep seeing it grow. */
  initialVersion: number;
}

const RECONNECT_MS = 5_000;
/** A reference price moves many times a second; it is published with the next poll or after this long. */
const PUBLISH_EVERY_MS = 1_000;

export function createCryptoFeed(options: CryptoFeedOptions): Service {
  const { source, board, clock, logger } = options;
  const references = new Map<string, ReferencePrice>();
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
      markets: markets.map((market) => withReference(market, references)),
      feed,
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

  const loop = createPollLoop({
    ...options,
    name: 'crypto',
    periodMs: FEEDS.crypto.pollPeriodMs,
    timeoutMs: FEEDS.crypto.timeoutMs * options.timeScale,
    maxBackoffMs: FEEDS.crypto.maxBackoffMs,
    async runOnce(signal) {
      markets = await source.fetchMarkets(signal);
      feed = { ...feed, updatedTs: clock.now(), problem: null };
      publish();
    },
    onError(error) {
      feed = { ...feed, problem: errorMessage(error) };
      publish();
    },
  });

  const following = createRepeat({
    clock,
    pauseMs: RECONNECT_MS,
    run: (signal) =>
      source.openReferenceStream(
        {
          onPrice(price) {
            references.set(price.asset, price);
            publishSoon();
          },
        },
        signal,
      ),
    onError: (error) => logger.warn({ error: errorMessage(error) }, 'reference price stream ended'),
  });

  return {
    start() {
      loop.start();
      void following.start();
    },
    async stop() {
      isStopped = true;
      await Promise.all([loop.stop(), following.stop()]);
    },
  };
}

function withReference(market: CryptoMarket, references: ReadonlyMap<string, ReferencePrice>): CryptoMarket {
  const reference = references.get(market.asset);
  return reference
    ? { ...market, referencePrice: reference.price, referenceSource: reference.source }
    : market;
}
