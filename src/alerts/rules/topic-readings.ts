// The conditions behind webhook topics. Each topic is its own condition family, so that webhooks share the
// rules' durable mark: a change is queued in the transaction that advances the mark. Pure.

import { isStale } from '../../domain/feed.ts';
import { isActiveAt } from '../../domain/market-event.ts';
import type { CapturedPost } from '../../domain/post.ts';
import type { WebhookTopic } from '../../domain/webhook-topic.ts';
import { boundCount } from '../../state/count-bounds.ts';
import type { EventState } from '../../state/snapshot.ts';
import type { FactReading, StandingAdvice, Watched } from './watched.ts';

type TopicReader = (watched: Watched, family: string) => FactReading[];

export const TOPIC_READERS: Record<WebhookTopic, TopicReader> = {
  'post.created': readPosts,
  'counters.changed': readCounters,
  'oracle.stale': readOracleAge,
  'oracle.caught_up': readOracleLag,
  'signal.appeared': readSignals,
  'signal.ended': readSignals,
  'window.opened': readOpenings,
  'window.settled': readSettlements,
};

export function topicFamily(topic: WebhookTopic): string {
  return `topic/${topic}`;
}

/**
 * Reports each post at or after the floor once. The floor rises with the oldest listed post and never falls.
 */
function readPosts({ snapshot, mark }: Watched, family: string): FactReading[] {
  const oldest = snapshot.recentPosts.at(-1);
  if (!oldest) return [];
  const known = mark.entries[family];
  const floorTs = Math.max(Number(known?.state ?? 0), oldest.createdTs);
  const floor = { ...silent(family, family), state: String(floorTs) };
  const posts = snapshot.recentPosts.filter(
    ({ createdTs, deletedTs }) => createdTs >= floorTs && deletedTs === null,
  );
  // No floor means that this is the first read of the list, so nothing in it is new.
  const initial = known ? { initial: 'none' } : {};
  return [
    floor,
    ...posts.toReversed().map((post) => ({
      ...silent(family, `${family}/${post.postId}`),
      ...initial,
      state: 'seen',
      what: 'post.created',
      data: presentPost(post),
      isBrief: true,
    })),
  ];
}

function presentPost({ postId, createdTs, isCounted, isReply, isQuote, isRetweet }: CapturedPost) {
  return {
    tweet_id: postId,
    created_ts: createdTs,
    is_counted: isCounted,
    is_reply: isReply,
    is_quote: isQuote,
    is_retweet: isRetweet,
  };
}

function readCounters({ snapshot }: Watched, family: string): FactReading[] {
  return snapshot.events.map((state) => {
    const { real, oracle, ui } = state.counters;
    const bounds = boundCount(state, snapshot.isPastMissing);
    const counts = {
      event_id: state.event.eventId,
      real_counter: real,
      ...(bounds && { real_counter_low: bounds.low, real_counter_high: bounds.high }),
      market_oracle_counter: oracle,
      market_ui_counter: ui,
    };
    return {
      ...ofEvent(family, state),
      state: JSON.stringify(counts),
      what: 'counters.changed',
      data: counts,
    };
  });
}

function readOracleAge({ snapshot, nowTs, sinceTs }: Watched, family: string): FactReading[] {
  const oracle = snapshot.feeds.find(({ feed }) => feed === 'oracle');
  if (!oracle) return [];
  // Time before this process started does not count toward staleness.
  const isOld = isStale(oracle, nowTs) && nowTs - sinceTs > oracle.staleAfterMs;
  const data = { updated_ts: oracle.updatedTs };
  const what = isOld ? 'oracle.stale' : null;
  return [{ ...silent(family, family), state: isOld ? 'stale' : 'live', initial: 'live', what, data }];
}

function readOracleLag({ snapshot }: Watched, family: string): FactReading[] {
  return snapshot.events.flatMap((state): FactReading[] => {
    const { real, oracle } = state.counters;
    if (real === null || oracle === null) return [];
    const isBehind = oracle < real;
    const what = isBehind ? null : 'oracle.caught_up';
    const data = { event_id: state.event.eventId, market_oracle_counter: oracle };
    return [{ ...ofEvent(family, state), state: isBehind ? 'behind' : 'level', what, data }];
  });
}

/** One reading per advised bucket; the two topics report the same change in opposite directions. */
function readSignals({ snapshot, advice, mark }: Watched, family: string): FactReading[] {
  if (advice === null) return [];
  const signals = new Map(advice.map((signal) => [`${signal.eventId}/${signal.bucketLabel}`, signal]));
  return snapshot.events.flatMap((state) =>
    state.event.buckets.flatMap(({ label }): FactReading[] => {
      const key = `${family}/${state.event.eventId}/${label}`;
      const signal = signals.get(`${state.event.eventId}/${label}`);
      const isBuy = signal?.action === 'BUY';
      const known = mark.entries[key];
      if (!isBuy && (!known || known.state === 'none')) return [];
      const what = family.endsWith(isBuy ? 'appeared' : 'ended') ? family.replace('topic/', '') : null;
      const data = signal ? presentSignal(signal) : { event_id: state.event.eventId, bucket: label };
      return [{ ...ofEvent(family, state), key, state: isBuy ? 'buy' : 'none', initial: 'none', what, data }];
    }),
  );
}

function presentSignal({ eventId, bucketLabel, modelProbability, marketPrice, edge }: StandingAdvice) {
  return {
    event_id: eventId,
    bucket: bucketLabel,
    model_prob: modelProbability,
    market_price: marketPrice,
    edge,
  };
}

function readOpenings({ snapshot, nowTs }: Watched, family: string): FactReading[] {
  return snapshot.events.map((state) => {
    const { eventId, title, window } = state.event;
    const isOpen = isActiveAt(window, nowTs);
    const data = { event_id: eventId, event_title: title, start_ts: window.startTs, end_ts: window.endTs };
    const what = isOpen ? 'window.opened' : null;
    return { ...ofEvent(family, state), state: isOpen ? 'open' : 'shut', initial: 'shut', what, data };
  });
}

function readSettlements({ snapshot }: Watched, family: string): FactReading[] {
  return snapshot.events.map((state) => {
    const { event, settlement } = state;
    const data = settlement && {
      event_id: event.eventId,
      final_count: settlement.finalCount,
      winning_bucket: settlement.winningLabel,
      revision: settlement.revision,
    };
    const revision = settlement ? `revision ${settlement.revision}` : 'none';
    const what = settlement ? 'window.settled' : null;
    return { ...ofEvent(family, state), state: revision, initial: 'none', what, data: data ?? {} };
  });
}

function ofEvent(family: string, { event }: EventState) {
  return { ...silent(family, `${family}/${event.eventId}`), event };
}

function silent(family: string, key: string) {
  return { family, key, kind: 'topic' as const, state: '', what: null, event: null, data: {} };
}
