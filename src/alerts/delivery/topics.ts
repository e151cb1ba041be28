// Webhook messages, found by comparing two snapshots. Pure.

import { isStale } from '../../domain/feed.ts';
import { isActiveAt } from '../../domain/market-event.ts';
import type { WebhookTopic } from '../../domain/webhook-topic.ts';
import { listChanges } from '../../state/changes.ts';
import { presentBounds } from '../../state/count-bounds.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';

export interface WebhookNotice {
  topic: WebhookTopic;
  data: Record<string, unknown>;
}

/** A bucket that is worth buying now. */
export interface StandingBuy {
  eventId: number;
  bucketLabel: string;
  modelProbability: number;
  marketPrice: number;
  edge: number;
}

export function listNotices(previous: AccountSnapshot, next: AccountSnapshot): WebhookNotice[] {
  return [
    ...changeNotices(previous, next),
    ...oracleNotices(previous, next),
    ...windowNotices(previous, next),
  ];
}

function changeNotices(previous: AccountSnapshot, next: AccountSnapshot): WebhookNotice[] {
  return listChanges(previous, next).flatMap((change): WebhookNotice[] => {
    if (change.kind === 'post' && change.post.deletedTs === null) {
      const { postId, createdTs, isCounted, isReply, isQuote, isRetweet } = change.post;
      const data = {
        tweet_id: postId,
        created_ts: createdTs,
        is_counted: isCounted,
        is_reply: isReply,
        is_quote: isQuote,
        is_retweet: isRetweet,
      };
      return [{ topic: 'post.created', data }];
    }
    if (change.kind === 'counters') {
      const state = next.events.find(({ event }) => event.eventId === change.eventId)!;
      const { real, oracle, ui } = state.counters;
      const data = {
        event_id: change.eventId,
        real_counter: real,
        ...presentBounds(state),
        market_oracle_counter: oracle,
        market_ui_counter: ui,
      };
      return [{ topic: 'counters.changed', data }];
    }
    if (change.kind === 'settlement') {
      const { finalCount, winningLabel, revision } = change.settlement;
      return [
        {
          topic: 'window.settled',
          data: { event_id: change.eventId, final_count: finalCount, winning_bucket: winningLabel, revision },
        },
      ];
    }
    return [];
  });
}

/** Stale by the feed's own clock; caught up when the oracle shows what we count. */
function oracleNotices(previous: AccountSnapshot, next: AccountSnapshot): WebhookNotice[] {
  const notices: WebhookNotice[] = [];
  const before = previous.feeds.find((status) => status.feed === 'oracle');
  const after = next.feeds.find((status) => status.feed === 'oracle');
  if (before && after && !isStale(before, previous.takenTs) && isStale(after, next.takenTs)) {
    notices.push({ topic: 'oracle.stale', data: { updated_ts: after.updatedTs } });
  }
  for (const { event, counters } of next.events) {
    const earlier = previous.events.find((state) => state.event.eventId === event.eventId);
    if (!earlier || counters.oracle === null || counters.real === null) continue;
    const wasBehind =
      earlier.counters.oracle !== null && earlier.counters.oracle < (earlier.counters.real ?? 0);
    if (wasBehind && counters.oracle >= counters.real) {
      notices.push({
        topic: 'oracle.caught_up',
        data: { event_id: event.eventId, market_oracle_counter: counters.oracle },
      });
    }
  }
  return notices;
}

function windowNotices(previous: AccountSnapshot, next: AccountSnapshot): WebhookNotice[] {
  return next.events.flatMap(({ event }): WebhookNotice[] => {
    const isOpen = isActiveAt(event.window, next.takenTs);
    const wasKnown = previous.events.some((state) => state.event.eventId === event.eventId);
    const wasOpen = wasKnown && isActiveAt(event.window, previous.takenTs);
    if (!isOpen || wasOpen) return [];
    const { startTs, endTs } = event.window;
    return [
      {
        topic: 'window.opened',
        data: { event_id: event.eventId, event_title: event.title, start_ts: startTs, end_ts: endTs },
      },
    ];
  });
}

export function listSignalNotices(
  before: readonly StandingBuy[],
  after: readonly StandingBuy[],
): WebhookNotice[] {
  const key = (buy: StandingBuy) => `${buy.eventId}/${buy.bucketLabel}`;
  const had = new Set(before.map(key));
  const has = new Set(after.map(key));
  const tell =
    (topic: WebhookTopic) =>
    (buy: StandingBuy): WebhookNotice => ({
      topic,
      data: {
        event_id: buy.eventId,
        bucket: buy.bucketLabel,
        model_prob: buy.modelProbability,
        market_price: buy.marketPrice,
        edge: buy.edge,
      },
    });
  return [
    ...after.filter((buy) => !had.has(key(buy))).map(tell('signal.appeared')),
    ...before.filter((buy) => !has.has(key(buy))).map(tell('signal.ended')),
  ];
}
