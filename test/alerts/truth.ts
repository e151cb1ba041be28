// Scenario input: one account with consecutive events. Every post adds one to our count while the oracle
// stalls. The parent process holds the true state, as the store would.

import { completeProfile } from '../../src/domain/account-profile.ts';
import type { MarketBucket } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { type AccountSnapshot, createEmptySnapshot } from '../../src/state/snapshot.ts';

export const ACCOUNT = completeProfile({ accountId: 'a', handle: 'somebody', platformUserId: '1' }, 0);
export const POSTS_PER_EVENT = 100;
const BUCKET_WIDTH = 20;
/** The previous, current and next events, plus one for a leader that lags behind. */
const ON_THE_BOARD = 4;

/** Posts so far; everything else is derived from this. */
export interface Truth {
  posts: number;
}

export function eventIdOf(posts: number): number {
  return 1 + Math.floor(Math.max(0, posts - 1) / POSTS_PER_EVENT);
}

/** An event's count once the account has made this many posts in total. */
export function countOf(eventId: number, posts: number): number {
  return Math.min(POSTS_PER_EVENT, Math.max(0, posts - (eventId - 1) * POSTS_PER_EVENT));
}

export function createTruthSnapshot({ posts }: Truth, nowTs: number): AccountSnapshot {
  const next = eventIdOf(posts) + 1;
  const eventIds = Array.from({ length: next }, (_, i) => i + 1).slice(-ON_THE_BOARD);
  const events = eventIds.map((eventId) => ({
    event: {
      ...{ eventId, accountId: ACCOUNT.accountId, title: `Event ${eventId}`, slug: `event-${eventId}` },
      ...{
        image: '',
        isClosed: false,
        buckets: BUCKETS.map((bucket) => ({ ...bucket, marketId: `${eventId}` })),
      },
      window: { startTs: nowTs - DAY_MS, endTs: nowTs + 2 * DAY_MS },
    },
    counters: { real: countOf(eventId, posts), oracle: 0, ui: 0 },
    ...{ oracleUpdatedTs: nowTs, uiUpdatedTs: nowTs, forecast: null },
  }));
  const feed = { feed: 'own' as const, updatedTs: nowTs, staleAfterMs: HOUR_MS, problem: null };
  return { ...createEmptySnapshot(ACCOUNT.accountId, nowTs, [feed]), version: posts + 1, events };
}

const BUCKETS: MarketBucket[] = Array.from({ length: POSTS_PER_EVENT / BUCKET_WIDTH + 1 }, (_, i) => {
  const isTop = i === POSTS_PER_EVENT / BUCKET_WIDTH;
  const lo = i * BUCKET_WIDTH;
  return {
    ...{
      lo,
      hi: isTop ? null : lo + BUCKET_WIDTH - 1,
      label: isTop ? `${lo}+` : `${lo}-${lo + BUCKET_WIDTH - 1}`,
    },
    ...{ marketId: '', conditionId: '', yesTokenId: `yes-${i}`, noTokenId: `no-${i}`, isOpen: true },
    ...{ tickSize: 0.01, minOrderShares: 5, fee: { rate: 0, exponent: 1 }, listedPrice: 0.1 },
  };
});
