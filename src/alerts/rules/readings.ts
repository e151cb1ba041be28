// Evaluates alert conditions on an account's snapshot at a given time. Pure. Each reader returns the current
// state of its condition for every subject, and the alert for entering that state. The words for these alerts
// are in kinds.ts.

import { isStale, nameFeed } from '../../domain/feed.ts';
import { listActive, type MarketBucket, type MarketEvent } from '../../domain/market-event.ts';
import type { CapturedPost } from '../../domain/post.ts';
import { computeMarketPrice } from '../../domain/quote.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import { boundCount, type CountRange } from '../../state/count-bounds.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type { Verdict, VerdictKind } from '../../trade/types.ts';
import type { Mark, Reading } from './mark.ts';

/** Current advice for a bucket. `verdict` is the advice; the contract's `action` covers only Yes. */
export interface BucketAdvice {
  eventId: number;
  bucketLabel: string;
  action: string;
  modelProbability: number;
  marketPrice: number;
  edge: number;
  verdict: Pick<Verdict, 'kind' | 'shares' | 'limitPrice' | 'sentence'>;
}

export interface Watched {
  snapshot: AccountSnapshot;
  nowTs: number;
  /** When this process started watching; earlier silence does not count toward staleness. */
  sinceTs: number;
  /** null if not recomputed or not known yet. */
  advice: readonly BucketAdvice[] | null;
  mark: Mark;
}

/** One alert of a kind: its name and the facts that its words are made of. */
export type AlertOf<Alerts> = {
  [What in keyof Alerts & string]: { what: What; facts: Alerts[What] };
}[keyof Alerts & string];

export interface ConditionReading<Alerts = Record<string, unknown>> extends Reading {
  event: MarketEvent | null;
  /** The alert for entering this state; null if there is none. */
  alert: AlertOf<Alerts> | null;
}

/** `steps` is the threshold in steps; 0 for kinds without one. */
export type Reader<Alerts> = (watched: Watched, family: string, steps: number) => ConditionReading<Alerts>[];

export type AdviceAction = 'BUY' | 'BUY_NO' | 'SELL';

/** State of an advice alert for each verdict; null if there is no alert. */
const ACTIONS: Record<VerdictKind, AdviceAction | null> = {
  'buy-yes': 'BUY',
  'buy-no': 'BUY_NO',
  exit: 'SELL',
  nothing: null,
};

export interface AdviceAlerts {
  begun: { action: AdviceAction; advice: BucketAdvice };
  ended: { action: AdviceAction; bucketLabel: string; advice: BucketAdvice | undefined };
}

export function readAdvice(
  { snapshot, advice, mark }: Watched,
  family: string,
): ConditionReading<AdviceAlerts>[] {
  if (advice === null) return [];
  const adviceOf = new Map(advice.map((one) => [`${one.eventId}/${one.bucketLabel}`, one]));
  return snapshot.events.flatMap(({ event }) =>
    event.buckets.flatMap(({ label }): ConditionReading<AdviceAlerts>[] => {
      const key = `${family}/${event.eventId}/${label}`;
      const one = adviceOf.get(`${event.eventId}/${label}`);
      const action = one ? ACTIONS[one.verdict.kind] : null;
      if (one && action)
        return [
          {
            ...{ family, key, state: action, initial: 'none', event },
            alert: { what: 'begun', facts: { action, advice: one } },
          },
        ];
      const before = mark.entries[key]?.state ?? 'none';
      if (before === 'none') return [];
      const facts = { action: before as AdviceAction, bucketLabel: label, advice: one };
      return [{ family, key, state: 'none', initial: 'none', event, alert: { what: 'ended', facts } }];
    }),
  );
}

export interface BucketAlerts {
  crossed: { passed: string | null; bucket: string; real: number };
}

/** Counts only grow, so a count never moves back a bucket. */
export function readBuckets(watched: Watched, family: string): ConditionReading<BucketAlerts>[] {
  return listActive(watched.snapshot, watched.nowTs).flatMap(
    ({ event, counters: { real } }): ConditionReading<BucketAlerts>[] => {
      if (real === null) return [];
      const key = `${family}/${event.eventId}`;
      const before = Number(watched.mark.entries[key]?.state ?? 0);
      const at = event.buckets.findIndex(({ lo, hi }) => lo <= real && (hi === null || real <= hi));
      const index = Math.max(at, before);
      const passed = event.buckets[index - 1]?.label ?? null;
      const facts = { passed, bucket: event.buckets[index]!.label, real };
      return [
        {
          ...{ family, key, state: String(index), fact: `${key}/${index}`, event },
          alert: { what: 'crossed', facts },
        },
      ];
    },
  );
}

export interface ActivityAlerts {
  quiet: { minutes: number; lastPostTs: number };
  woke: { minutes: number; postId: string; createdTs: number };
}

/** While the post feed is stale, silence cannot be detected. */
export function readActivity(
  { snapshot, nowTs }: Watched,
  family: string,
  minutes: number,
): ConditionReading<ActivityAlerts>[] {
  const own = snapshot.feeds.find(({ feed }) => feed === 'own');
  const last = snapshot.recentPosts[0];
  if (!last || !own || isStale(own, nowTs)) return [];
  const { postId, createdTs } = last;
  const ofAccount = { family, key: family, event: null };
  if (nowTs - createdTs >= minutes * MINUTE_MS) {
    const facts = { minutes, lastPostTs: createdTs };
    const fact = `quiet/${minutes}/${postId}`;
    return [{ ...ofAccount, state: 'quiet', fact, alert: { what: 'quiet', facts } }];
  }
  const facts = { minutes, postId, createdTs };
  return [{ ...ofAccount, state: 'awake', fact: `woke/${postId}`, alert: { what: 'woke', facts } }];
}

export interface ApartAlerts {
  apart: { real: number; oracle: number };
}

export function readApart(watched: Watched, family: string, posts: number): ConditionReading<ApartAlerts>[] {
  return listActive(watched.snapshot, watched.nowTs).flatMap(({ event, counters: { real, oracle } }) => {
    if (real === null || oracle === null) return [];
    const isApart = Math.abs(real - oracle) >= posts;
    return [
      {
        ...{ family, key: `${family}/${event.eventId}`, event },
        ...{ state: isApart ? 'apart' : 'together', initial: 'together' },
        alert: isApart ? { what: 'apart' as const, facts: { real, oracle } } : null,
      },
    ];
  });
}

export interface ReachedAlerts {
  reached: { real: number; posts: number };
}

export function readReached(
  watched: Watched,
  family: string,
  posts: number,
): ConditionReading<ReachedAlerts>[] {
  return listActive(watched.snapshot, watched.nowTs).flatMap(({ event, counters: { real } }) => {
    if (real === null) return [];
    const key = `${family}/${event.eventId}`;
    const hasReached = real >= posts;
    return [
      {
        ...{ family, key, event, state: hasReached ? 'reached' : 'below', initial: 'below', fact: key },
        alert: hasReached ? { what: 'reached' as const, facts: { real, posts } } : null,
      },
    ];
  });
}

export interface LevelAlerts {
  caught_up: { oracle: number };
}

export function readOracleLevel({ snapshot }: Watched, family: string): ConditionReading<LevelAlerts>[] {
  return snapshot.events.flatMap(({ event, counters: { real, oracle } }) => {
    if (real === null || oracle === null) return [];
    const isLevel = oracle >= real;
    return [
      {
        ...{ family, key: `${family}/${event.eventId}`, state: isLevel ? 'level' : 'behind', event },
        alert: isLevel ? { what: 'caught_up' as const, facts: { oracle } } : null,
      },
    ];
  });
}

export interface CountAlerts {
  changed: { state: EventState; bounds: CountRange | null };
}

export function readCounts({ snapshot }: Watched, family: string): ConditionReading<CountAlerts>[] {
  return snapshot.events.map((state) => {
    const { event, counters } = state;
    const bounds = boundCount(state, snapshot);
    const known = [counters.real, counters.oracle, counters.ui, bounds?.low, bounds?.high];
    return {
      ...{ family, key: `${family}/${event.eventId}`, state: JSON.stringify(known), event },
      alert: { what: 'changed', facts: { state, bounds } },
    };
  });
}

export interface PostAlerts {
  captured: CapturedPost;
}

/**
 * Reports each post at or after the floor once. The floor rises with the oldest listed post and never falls.
 */
export function readPosts({ snapshot, mark }: Watched, family: string): ConditionReading<PostAlerts>[] {
  const oldest = snapshot.recentPosts.at(-1);
  if (!oldest) return [];
  const known = mark.entries[family];
  const floorTs = Math.max(Number(known?.state ?? 0), oldest.createdTs);
  const posts = snapshot.recentPosts.filter(
    ({ createdTs, deletedTs }) => createdTs >= floorTs && deletedTs === null,
  );
  // No floor means that this is the first read of the list, so nothing in it is new.
  const initial = known ? { initial: 'none' } : {};
  return [
    { family, key: family, state: String(floorTs), event: null, alert: null },
    ...posts.toReversed().map((post) => ({
      ...{ family, key: `${family}/${post.postId}`, state: 'seen', ...initial, isBrief: true, event: null },
      alert: { what: 'captured' as const, facts: post },
    })),
  ];
}

interface FeedFacts {
  feed: string;
  updatedTs: number | null;
}

export interface FeedAlerts {
  dark: FeedFacts;
  back: FeedFacts;
}

export function readFeeds(
  { snapshot, nowTs, sinceTs }: Watched,
  family: string,
): ConditionReading<FeedAlerts>[] {
  return snapshot.feeds.map((status) => {
    const isDark = isStale(status, nowTs) && nowTs - sinceTs > status.staleAfterMs;
    // Only the operator sees the cause; key holders see that the feed is stale and since when.
    const facts = { feed: nameFeed(status), updatedTs: status.updatedTs };
    return {
      ...{ family, key: `${family}/${facts.feed}`, state: isDark ? 'dark' : 'live', event: null },
      alert: { what: isDark ? 'dark' : 'back', facts },
    };
  });
}

export interface PriceAlerts {
  moved: { bucket: string; fromPrice: number; marketPrice: number };
}

/**
 * Compares with the price at the last alert, or the first price seen, so small moves add up and a price that
 * settles at a new level alerts once.
 */
export function readPrices(watched: Watched, family: string, cents: number): ConditionReading<PriceAlerts>[] {
  return listActive(watched.snapshot, watched.nowTs).flatMap(({ event }) =>
    event.buckets.flatMap((bucket): ConditionReading<PriceAlerts>[] => {
      const price = priceOf(watched.snapshot, bucket);
      if (price === null || !bucket.isOpen) return [];
      const key = `${family}/${event.eventId}/${bucket.label}`;
      const known = watched.mark.entries[key]?.state;
      const fromPrice = known === undefined ? price : Number(known);
      const hasMoved = Math.abs(price - fromPrice) >= cents / 100 - 1e-9;
      const facts = { bucket: bucket.label, fromPrice, marketPrice: price };
      const state = String(hasMoved ? price : fromPrice);
      return [{ family, key, state, event, alert: { what: 'moved', facts } }];
    }),
  );
}

function priceOf(snapshot: AccountSnapshot, bucket: MarketBucket): number | null {
  return computeMarketPrice(snapshot.quotes[bucket.yesTokenId], bucket.listedPrice);
}

interface WindowFacts {
  title: string;
  startTs: number;
  endTs: number;
  real: number | null;
}

export interface WindowAlerts {
  opened: WindowFacts;
  closing: WindowFacts;
}

/** Alerts when the window opens and `minutes` before it ends. */
export function readWindows(
  { snapshot, nowTs }: Watched,
  family: string,
  minutes: number,
): ConditionReading<WindowAlerts>[] {
  return snapshot.events.map(({ event, counters }) => {
    const { startTs, endTs } = event.window;
    const isNear = nowTs >= endTs - minutes * MINUTE_MS;
    const state = nowTs < startTs ? 'ahead' : nowTs >= endTs ? 'over' : isNear ? 'closing' : 'open';
    const facts = { title: event.title, startTs, endTs, real: counters.real };
    const what = state === 'open' ? 'opened' : state === 'closing' ? 'closing' : null;
    const fact = state === 'closing' ? `closing/${minutes}/${event.eventId}` : `${state}/${event.eventId}`;
    return {
      ...{ family, key: `${family}/${event.eventId}`, state, initial: 'ahead', fact, event },
      alert: what && { what, facts },
    };
  });
}

export interface SettlementAlerts {
  settled: NonNullable<EventState['settlement']>;
}

export function readSettlements({ snapshot }: Watched, family: string): ConditionReading<SettlementAlerts>[] {
  return snapshot.events.map(({ event, settlement }) => {
    const key = `${family}/${event.eventId}`;
    const state = settlement ? `revision ${settlement.revision}` : 'none';
    return {
      ...{ family, key, state, initial: 'none', fact: `${key}/${state}`, event },
      alert: settlement ? { what: 'settled', facts: settlement } : null,
    };
  });
}
