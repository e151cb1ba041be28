// Live updates as server-sent events: one stream per account, with the same fields and tiers as the REST
// responses.

import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { nameFeed } from '../../domain/feed.ts';
import { listActive } from '../../domain/market-event.ts';
import type { AccountSnapshot, SettledCount } from '../../state/snapshot.ts';
import type { EventSignals } from '../../trade/types.ts';
import type { RouteContext } from '../context.ts';
import { API_LINES, JSON_LINES, toLines } from '../http/fixed-headers.ts';
import { PreparedBody, stableTag } from '../http/prepared-body.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { presentFeedOf } from '../records/events.ts';
import type { StreamChange } from '../stream/stream-changes.ts';
import {
  createStreamHub,
  type PresentedChange,
  type StreamHub,
  type StreamHubOptions,
} from '../stream/stream-hub.ts';
import { CountersRecord, presentMeta } from './meta.ts';
import { presentPrediction, presentPredictionRecord, type Viewer } from './prediction.ts';
import { PostRecord, PUBLIC_PAGE, type TextRules } from './tweets.ts';

const StreamAnswer = Type.String({
  description: 'A text/event-stream of messages with id, event and data; data is JSON.',
});

interface StreamView extends Viewer {
  segment: string;
  rules: TextRules;
  /** Current advice, used by views that show it. */
  advise: (snapshot: AccountSnapshot, nowTs: number) => readonly EventSignals[];
}

function presentChange(
  change: StreamChange,
  snapshot: AccountSnapshot,
  stream: StreamView,
  nowTs: number,
): PresentedChange | null {
  const { view, rules, advise } = stream;
  switch (change.kind) {
    case 'post':
      return {
        event: 'post',
        replaceKey: null,
        data: PostRecord.present({ post: change.post, view, rules }),
      };
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
        ...presentFeedOf(snapshot, feed, nowTs),
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
  const { view, rules, segment } = stream;
  const signals = snapshot && view === 'pro' ? stream.advise(snapshot, nowTs) : [];
  const posts = snapshot?.recentPosts.slice(0, PUBLIC_PAGE.limit) ?? [];
  return {
    timestamp: nowTs,
    account: segment,
    tier: view === 'pro' ? 'PRO' : 'FREE',
    meta: presentMeta(snapshot, nowTs).data,
    prediction: presentPrediction(snapshot, stream, signals, nowTs).data,
    posts: posts.map((post) => PostRecord.present({ post, view, rules })),
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

export interface StreamOptions extends Omit<StreamHubOptions<Account>, 'presenterFor'> {
  rules: TextRules;
  advise: (account: Account, snapshot: AccountSnapshot, nowTs: number) => readonly EventSignals[];
}

export function openStreams({ rules, advise, ...options }: StreamOptions): StreamHub {
  return createStreamHub({
    ...options,
    presenterFor(account, view) {
      const { segment, publicView } = account;
      const stream: StreamView = {
        segment,
        publicView,
        view,
        rules,
        advise: (snapshot, nowTs) => advise(account, snapshot, nowTs),
      };
      return {
        presentSnapshot: (snapshot, nowTs) => presentSnapshot(snapshot, stream, nowTs),
        presentChange: (change, snapshot, nowTs) => presentChange(change, snapshot, stream, nowTs),
      };
    },
  });
}

export function streamRoutes(context: RouteContext): Route[] {
  const { accounts, board, clock, wallClock, settings } = context;
  const hub = openStreams({
    isOutdated: () => context.findOutdated() !== null,
    ...{ accounts, board, clock, wallClock, rules: settings },
    advise: (account, snapshot, nowTs) =>
      context.adviserOf(account).advise(snapshot, settings.defaultBankrollUsd, nowTs),
  });
  context.onClose(() => hub.close());
  return accounts.map((account) =>
    defineRoute({
      path: `${API_PREFIX}/stream/${account.segment}`,
      access: 'optional',
      document: {
        operationId: `stream_${account.segment}`,
        tag: 'Stream',
        summary: `Live updates for ${account.segment}`,
        description:
          'Server-sent events: a snapshot, then counters, post, forecast (PRO), price, feed and settlement messages. ' +
          'Every message has an id; send the last one as Last-Event-ID to resume from a bounded log. ' +
          'Opening a stream counts as one request.',
        ok: StreamAnswer,
        contentType: 'text/event-stream',
      },
      stream({ view, headers, identity }, sink) {
        const lastEventId = headers['last-event-id'];
        hub.join({
          accountId: account.accountId,
          view,
          lastEventId: typeof lastEventId === 'string' ? lastEventId : null,
          sink,
          onKeyEnd: (action) => (identity ? context.onKeyEnd(identity, action) : () => {}),
        });
      },
    }),
  );
}

/** Rendered for each request: a reused body would be older than what the cache adds. */
const SHARED_LINES =
  JSON_LINES + toLines({ 'Cache-Control': 'public, max-age=1', Vary: 'Accept-Encoding' }) + API_LINES;

/**
 * The public snapshot of an account, for sites with many visitors: the same response for every caller, so that a
 * CDN can answer for the service. Endpoints of the API cannot be shared, because each response counts against its
 * caller's allowance and says what is left of it.
 */
export function liveViewRoutes({ accounts, board, settings }: RouteContext): Route[] {
  return accounts.map(({ accountId, segment, publicView }) => {
    const path = `/live/${segment}.json`;
    const view = { segment, publicView, view: 'public' as const, rules: settings, advise: () => [] };
    return defineRoute({
      path,
      allowance: 'none',
      document: { operationId: path, tag: 'Site', summary: path, ok: Type.Any(), isPage: true },
      handle({ nowTs }) {
        const text = JSON.stringify(presentSnapshot(board.find(accountId), view, nowTs));
        return new PreparedBody(Buffer.from(text), stableTag(text), SHARED_LINES);
      },
    });
  });
}
