// A small fixed simulator state for the API tests.

import type { Account } from '../../src/domain/account.ts';
import { completeProfile } from '../../src/domain/account-profile.ts';
import type { FeedName, FeedStatus } from '../../src/domain/feed.ts';
import type { MarketBucket, MarketEvent } from '../../src/domain/market-event.ts';
import type { WalletPosition } from '../../src/domain/position.ts';
import type { CapturedPost } from '../../src/domain/post.ts';
import type { Quote } from '../../src/domain/quote.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import type { AccountSnapshot, CryptoSnapshot, EventState } from '../../src/state/snapshot.ts';
import { sampleEvent, samplePost } from '../store/samples.ts';
import { evidenceOf } from '../support/priced-event.ts';

export const NOW_TS = Date.UTC(2026, 2, 10, 12, 0, 0);
export const WALLET = `0x${'aB'.repeat(20)}`;

export const ACCOUNTS: readonly [Account, Account] = [createAccount('a', 0), createAccount('b', 1)];

function createAccount(accountId: string, place: number): Account {
  return completeProfile(
    { accountId, handle: `handle_${accountId}`, platformUserId: String(place + 1) },
    place,
  );
}

export function createSnapshot(accountId: string, overrides: Partial<AccountSnapshot> = {}): AccountSnapshot {
  const base = accountId === 'a' ? 1000 : 2000;
  const events = [
    createEvent(accountId, base + 1, NOW_TS - DAY_MS, NOW_TS + DAY_MS, 'Ends tomorrow, “quoted” 😀'),
    createEvent(accountId, base + 2, NOW_TS - DAY_MS, NOW_TS + 3 * DAY_MS, 'Ends later'),
    createEvent(accountId, base + 3, NOW_TS + DAY_MS, NOW_TS + 4 * DAY_MS, 'Not started'),
    createEvent(accountId, base + 4, NOW_TS - 3 * DAY_MS, NOW_TS - HOUR_MS, 'Ended'),
  ];
  return {
    accountId,
    version: 1,
    takenTs: NOW_TS,
    events: events.map(createState),
    quotes: Object.fromEntries(events.flatMap(createQuotes).map((quote) => [quote.tokenId, quote])),
    feeds: createFeeds(NOW_TS - 2_000),
    activity: { asofTs: NOW_TS, sleepProbability: 0.25, velocityCounted1h: 3, velocityAll1h: 5 },
    jointFinals: null,
    // Evidence of a strong edge, so that there is advice.
    evidence: evidenceOf(0.5),
    recentPosts: Array.from({ length: 100 }, (_, i) => createPost(accountId, i)),
    totalPosts: 100,
    captureDelay: { medianMs: 11_500, p90Ms: 13_000, p99Ms: 28_200, sampleSize: 100 },
    ...overrides,
  };
}

export function createFeeds(updatedTs: number | null): FeedStatus[] {
  const names: FeedName[] = ['own', 'oracle', 'ui', 'market', 'prices', 'forecast'];
  return names.map((feed) => ({ feed, updatedTs, staleAfterMs: 60_000, problem: null }));
}

function createEvent(
  accountId: string,
  eventId: number,
  startTs: number,
  endTs: number,
  title: string,
): MarketEvent {
  const ranges: [number, number | null][] = [
    [0, 99],
    [100, 119],
    [120, 139],
    [140, null],
  ];
  return sampleEvent({
    ...{ eventId, accountId, title, slug: `event-${eventId}`, window: { startTs, endTs } },
    image: 'https://example.invalid/image.png',
    buckets: ranges.map(([lo, hi], i) => createBucket(eventId, i, lo, hi)),
  });
}

function createBucket(eventId: number, index: number, lo: number, hi: number | null): MarketBucket {
  return {
    lo,
    hi,
    label: hi === null ? `${lo}+` : lo === 0 ? `<${hi + 1}` : `${lo}-${hi}`,
    marketId: `m${eventId}-${index}`,
    conditionId: `c${eventId}-${index}`,
    yesTokenId: `yes-${eventId}-${index}`,
    noTokenId: `no-${eventId}-${index}`,
    isOpen: true,
    tickSize: 0.01,
    minOrderShares: 5,
    fee: { rate: 0, exponent: 1 },
    listedPrice: 0.25,
  };
}

const MIDPOINTS = [0.1, 0.3, 0.4, 0.2];
const PROBABILITIES = [0.05, 0.25, 0.55, 0.15];

function createQuotes(event: MarketEvent): Quote[] {
  return event.buckets.flatMap((bucket, i) => {
    const middle = MIDPOINTS[i]!;
    return [
      createQuote(bucket.yesTokenId, middle - 0.01, middle + 0.01),
      createQuote(bucket.noTokenId, 1 - middle - 0.01, 1 - middle + 0.01),
    ];
  });
}

function createQuote(tokenId: string, bid: number, ask: number): Quote {
  return { tokenId, bid, ask, bidShares: 5000, askShares: 5000, lastTradePrice: null, observedTs: NOW_TS };
}

function createState(event: MarketEvent): EventState {
  return {
    event,
    counters: { real: 80, oracle: 78, ui: 77 },
    oracleUpdatedTs: NOW_TS - 3_000,
    uiUpdatedTs: NOW_TS - 4_000,
    forecast: {
      eventId: event.eventId,
      asofTs: NOW_TS - 1_000,
      countSoFar: 80,
      p5: 98,
      p50: 127,
      p95: 149,
      bucketProbabilities: PROBABILITIES,
      modelSd: 0.03,
      modelVersion: 'm1',
      buildCommit: 'abc',
    },
  };
}

export function createPost(accountId: string, index: number): CapturedPost {
  const createdTs = NOW_TS - index * 60_000;
  return samplePost({
    ...{ accountId, postId: String(10_000 - index), createdTs, firstSeenTs: createdTs + 11_500 },
    ...{ text: `post ${index}`, deletedTs: index === 2 ? NOW_TS : null },
    ...{ isReply: index % 3 === 1, isRetweet: index % 3 === 2, isCounted: index % 3 !== 1 },
  });
}

export function createPosition(eventId: number, index: number, side: 'Yes' | 'No'): WalletPosition {
  const price = side === 'Yes' ? MIDPOINTS[index]! : 1 - MIDPOINTS[index]!;
  return {
    wallet: WALLET.toLowerCase(),
    tokenId: `${side === 'Yes' ? 'yes' : 'no'}-${eventId}-${index}`,
    conditionId: `c${eventId}-${index}`,
    eventId,
    eventSlug: `event-${eventId}`,
    side,
    shares: 100,
    avgPrice: 0.2,
    costUsd: 20,
    currentPrice: price,
    currentValueUsd: 100 * price,
    isRedeemable: false,
  };
}

export const CRYPTO: CryptoSnapshot = {
  version: 1,
  takenTs: NOW_TS,
  feed: { feed: 'market', updatedTs: NOW_TS, staleAfterMs: 60_000, problem: null },
  markets: [
    {
      eventId: 9001,
      title: 'Up or down',
      image: 'https://example.invalid/coin.png',
      asset: 'BTC',
      marketType: 'updown',
      interval: '1h',
      startTs: NOW_TS - HOUR_MS / 2,
      endTs: NOW_TS + HOUR_MS / 2,
      strike: null,
      referenceSource: 'pyth-spot',
      tokens: [{ label: 'Up', tokenId: 'up', price: 0.5, bestBid: 0.49, bestAsk: 0.51 }],
      volumeUsd: 10,
      liquidityUsd: 20,
      feeRate: 0,
    },
  ],
};
