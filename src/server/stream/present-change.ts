// Formats changes as stream messages, with the same fields and tiers as the REST responses.

import { nameFeed } from '../../domain/feed.ts';
import { listActive } from '../../domain/market-event.ts';
import type { StreamChange } from '../../state/changes.ts';
import type { AccountSnapshot, SettledCount } from '../../state/snapshot.ts';
import type { EventSignals } from '../../trade/types.ts';
import { CountersRecord, presentMeta } from '../endpoints/meta.ts';
import { presentFeedAge } from '../records/events.ts';
import { presentPrediction, presentPredictionRecord } from '../views/prediction.ts';
import type { Viewer } from '../views/prediction-fields.ts';
import { PUBLIC_PAGE, presentPost, type TextRules } from '../views/tweets.ts';

export interface StreamView extends Viewer {
  segment: string;
  rules: TextRules;
  /** Current advice, used by views that show it. */
  advise: (snapshot: AccountSnapshot, nowTs: number) => readonly EventSignals[];
}

export interface PresentedChange {
  event: string;
  replaceKey: string | null;
  data: unknown;
}

/** Returns null if the tier cannot see this change. */
export function presentChange(
  change: StreamChange,
  snapshot: AccountSnapshot,
  stream: StreamView,
  nowTs: number,
): PresentedChange | null {
  const { view, rules, advise } = stream;
  switch (change.kind) {
    case 'post':
      return { event: 'post', replaceKey: null, data: presentPost(change.post, view, rules) };
    case 'counters': {
      const state = findActive(snapshot, change.eventId, nowTs);
      return (
        state && {
          event: 'counters',
          replaceKey: `c${change.eventId}`,
          data: CountersRecord.present({ snapshot, state, nowTs }),
        }
      );
    }
    case 'forecast': {
      const state = view === 'pro' ? findActive(snapshot, change.eventId, nowTs) : null;
      const data = state && presentPredictionRecord(snapshot, state, stream, advise(snapshot, nowTs), nowTs);
      return data && { event: 'forecast', replaceKey: `f${change.eventId}`, data };
    }
    case 'price':
      return {
        event: 'price',
        replaceKey: `p${change.eventId}/${change.bucketLabel}`,
        data: { event_id: change.eventId, title: change.bucketLabel, market_price: change.marketPrice },
      };
    case 'feed': {
      const feed = snapshot.feeds.find((status) => nameFeed(status) === change.feed);
      const data = {
        feed: change.feed,
        ...presentFeedAge(feed, nowTs),
        problem: feed?.problem ? 'The feed reports a problem' : null,
      };
      return { event: 'feed', replaceKey: `s${change.feed}`, data };
    }
    case 'settlement': {
      const data = presentSettlement(change.eventId, change.settlement);
      return { event: 'settlement', replaceKey: null, data };
    }
  }
}

export function presentSnapshot(snapshot: AccountSnapshot | undefined, stream: StreamView, nowTs: number) {
  const signals = snapshot && stream.view === 'pro' ? stream.advise(snapshot, nowTs) : [];
  const posts = snapshot?.recentPosts.slice(0, PUBLIC_PAGE.limit) ?? [];
  return {
    timestamp: nowTs,
    account: stream.segment,
    tier: stream.view === 'pro' ? 'PRO' : 'FREE',
    meta: presentMeta(snapshot, nowTs).data,
    prediction: presentPrediction(snapshot, stream, signals, nowTs).data,
    posts: posts.map((post) => presentPost(post, stream.view, stream.rules)),
    // Includes the last day's settlements, for readers that were disconnected when an event settled.
    settlements: (snapshot?.events ?? []).flatMap(({ event, settlement }) =>
      settlement ? [presentSettlement(event.eventId, settlement)] : [],
    ),
  };
}

function presentSettlement(eventId: number, { finalCount, winningLabel, revision }: SettledCount) {
  return { event_id: eventId, final_count: finalCount, winning_bucket: winningLabel, revision };
}

function findActive(snapshot: AccountSnapshot, eventId: number, nowTs: number) {
  return listActive(snapshot, nowTs).find((state) => state.event.eventId === eventId) ?? null;
}
