// Evaluates rule conditions on an account's snapshot at a given time. Pure. A condition (`family`) is a rule
// kind with a threshold; rules with the same condition share the reading, so the cost depends on the number
// of conditions, not of rules.

import { isStale, nameFeed } from '../../domain/feed.ts';
import { listActive, type MarketBucket } from '../../domain/market-event.ts';
import { computeMarketPrice } from '../../domain/quote.ts';
import type { RuleKind } from '../../domain/rule-kinds.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { WebhookTopic } from '../../domain/webhook-topic.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { VerdictKind } from '../../trade/types.ts';
import { TOPIC_READERS } from './topic-readings.ts';
import type { FactReading, Watched } from './watched.ts';

/** A rule's condition: its kind, plus the threshold in steps if it has one. */
export function familyOf(kind: RuleKind, steps: number | null): string {
  return steps === null ? kind : `${kind}/${steps}`;
}

type Reader = (watched: Watched, family: string, steps: number) => FactReading[];

const READERS: Record<RuleKind, Reader> = {
  advice: readAdvice,
  bucket_crossed: readBuckets,
  activity: readActivity,
  counts_apart: readApart,
  feed: readFeeds,
  price_moved: readPrices,
  window: readWindows,
  settled: readSettlements,
};

export function readAnswers(watched: Watched, families: readonly string[]): FactReading[] {
  return families.flatMap((family) => {
    const [kind, rest] = family.split('/') as [RuleKind | 'topic', string | undefined];
    return kind === 'topic'
      ? TOPIC_READERS[rest as WebhookTopic](watched, family)
      : READERS[kind](watched, family, Number(rest ?? 0));
  });
}

/** State of an advice alert for each verdict; null if there is no alert. */
const ACTIONS: Record<VerdictKind, string | null> = {
  'buy-yes': 'BUY',
  'buy-no': 'BUY_NO',
  exit: 'SELL',
  nothing: null,
};

function readAdvice({ snapshot, advice, mark }: Watched, family: string): FactReading[] {
  if (advice === null) return [];
  const standing = new Map(
    advice.flatMap((one) =>
      ACTIONS[one.verdict.kind] ? [[`${one.eventId}/${one.bucketLabel}`, one] as const] : [],
    ),
  );
  return snapshot.events.flatMap(({ event }) =>
    event.buckets.flatMap(({ label }): FactReading[] => {
      const key = `${family}/${event.eventId}/${label}`;
      const one = standing.get(`${event.eventId}/${label}`);
      const known = mark.entries[key];
      if (!one && (!known || known.state === 'none')) return [];
      const data = one
        ? {
            ...{ bucket: label, action: ACTIONS[one.verdict.kind], model_prob: one.modelProbability },
            ...{ market_price: one.marketPrice, edge: one.edge, shares: one.verdict.shares },
            ...{ limit_price: one.verdict.limitPrice, sentence: one.verdict.sentence },
          }
        : { bucket: label, action: known!.state };
      const state = (one && ACTIONS[one.verdict.kind]) ?? 'none';
      const what = one ? 'begun' : 'ended';
      return [{ family, kind: 'advice', key, state, initial: 'none', what, event, data }];
    }),
  );
}

/** Counts only grow, so a count never moves back a bucket. */
function readBuckets(watched: Watched, family: string): FactReading[] {
  return listActive(watched.snapshot, watched.nowTs).flatMap(({ event, counters }): FactReading[] => {
    if (counters.real === null) return [];
    const count = counters.real;
    const key = `${family}/${event.eventId}`;
    const before = Number(watched.mark.entries[key]?.state ?? 0);
    const at = event.buckets.findIndex(({ lo, hi }) => lo <= count && (hi === null || count <= hi));
    const index = Math.max(at, before);
    const passed = event.buckets[index - 1]?.label ?? null;
    const data = { passed_bucket: passed, bucket: event.buckets[index]!.label, real_counter: count };
    const fact = `${key}/${index}`;
    return [
      { family, kind: 'bucket_crossed', key, state: String(index), what: 'crossed', event, data, fact },
    ];
  });
}

/** While the post feed is stale, silence cannot be detected. */
function readActivity({ snapshot, nowTs }: Watched, family: string, minutes: number): FactReading[] {
  const own = snapshot.feeds.find(({ feed }) => feed === 'own');
  const last = snapshot.recentPosts[0];
  if (!last || !own || isStale(own, nowTs)) return [];
  const isQuiet = nowTs - last.createdTs >= minutes * MINUTE_MS;
  const data = isQuiet
    ? { silent_minutes: minutes, last_post_ts: last.createdTs }
    : { silent_minutes: minutes, tweet_id: last.postId, created_ts: last.createdTs };
  const state = isQuiet ? 'quiet' : 'awake';
  const what = isQuiet ? 'quiet' : 'woke';
  const fact = isQuiet ? `quiet/${minutes}/${last.postId}` : `woke/${last.postId}`;
  return [{ family, kind: 'activity', key: family, state, what, event: null, data, fact }];
}

function readApart(watched: Watched, family: string, posts: number): FactReading[] {
  return listActive(watched.snapshot, watched.nowTs).flatMap(
    ({ event, counters: { real, oracle } }): FactReading[] => {
      if (real === null || oracle === null) return [];
      const isApart = Math.abs(real - oracle) >= posts;
      const data = { real_counter: real, market_oracle_counter: oracle, apart: real - oracle };
      return [
        {
          ...{ family, kind: 'counts_apart', key: `${family}/${event.eventId}`, event, data },
          ...{ state: isApart ? 'apart' : 'together', initial: 'together', what: isApart ? 'apart' : null },
        },
      ];
    },
  );
}

function readFeeds({ snapshot, nowTs, sinceTs }: Watched, family: string): FactReading[] {
  return snapshot.feeds.map((status) => {
    const isStaleLong = isStale(status, nowTs) && nowTs - sinceTs > status.staleAfterMs;
    // Only the operator sees the cause; key holders see that the feed is stale and since when.
    const feed = nameFeed(status);
    const data = { feed, updated_ts: status.updatedTs };
    const what = isStaleLong ? 'dark' : 'back';
    const key = `${family}/${feed}`;
    return { family, kind: 'feed', key, state: isStaleLong ? 'dark' : 'live', what, event: null, data };
  });
}

/**
 * Compares with the price at the last alert, or the first price seen, so small moves add up and a price that
 * settles at a new level alerts once.
 */
function readPrices(watched: Watched, family: string, cents: number): FactReading[] {
  return listActive(watched.snapshot, watched.nowTs).flatMap(({ event }) =>
    event.buckets.flatMap((bucket): FactReading[] => {
      const price = priceOf(watched.snapshot, bucket);
      if (price === null || !bucket.isOpen) return [];
      const key = `${family}/${event.eventId}/${bucket.label}`;
      const known = watched.mark.entries[key]?.state;
      const from = known === undefined ? price : Number(known);
      const hasMoved = Math.abs(price - from) >= cents / 100 - 1e-9;
      const state = String(hasMoved ? price : from);
      const data = { bucket: bucket.label, from_price: from, market_price: price };
      return [{ family, kind: 'price_moved', key, state, what: 'moved', event, data }];
    }),
  );
}

function priceOf(snapshot: AccountSnapshot, bucket: MarketBucket): number | null {
  return computeMarketPrice(snapshot.quotes[bucket.yesTokenId], bucket.listedPrice);
}

/** Alerts when the window opens and `minutes` before it ends. */
function readWindows({ snapshot, nowTs }: Watched, family: string, minutes: number): FactReading[] {
  return snapshot.events.map(({ event, counters }) => {
    const { startTs, endTs } = event.window;
    const isNear = nowTs >= endTs - minutes * MINUTE_MS;
    const state = nowTs < startTs ? 'ahead' : nowTs >= endTs ? 'over' : isNear ? 'closing' : 'open';
    const data = { start_ts: startTs, end_ts: endTs, real_counter: counters.real };
    const what = state === 'open' ? 'opened' : state === 'closing' ? 'closing' : null;
    const key = `${family}/${event.eventId}`;
    const fact = state === 'closing' ? `closing/${minutes}/${event.eventId}` : `${state}/${event.eventId}`;
    return { family, kind: 'window', key, state, initial: 'ahead', what, event, data, fact };
  });
}

function readSettlements({ snapshot }: Watched, family: string): FactReading[] {
  return snapshot.events.map(({ event, settlement }) => {
    const data = settlement
      ? {
          ...{ final_count: settlement.finalCount, winning_bucket: settlement.winningLabel },
          ...{ revision: settlement.revision },
        }
      : {};
    const state = settlement ? `revision ${settlement.revision}` : 'none';
    const what = settlement ? 'settled' : null;
    const key = `${family}/${event.eventId}`;
    const fact = `${key}/${state}`;
    return { family, kind: 'settled', key, state, initial: 'none', what, event, data, fact };
  });
}

/** How long after a start advice remains valid before feeds have responded. */
export const ADVICE_GRACE_MS = HOUR_MS / 30;
