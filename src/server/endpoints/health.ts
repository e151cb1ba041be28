// Endpoint 13: service health: ok, degraded (something is stale), or down (no valid data). Never rate limited,
// never waits.

import type { Static } from 'typebox';
import { FeedAge, MaybeNumber, MaybeTs, named, Ts } from '../../contract/envelope.ts';
import { dictionaryOf, Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { describeDisputes } from '../../domain/counted-kinds.ts';
import { isStale, nameFeed, type PostSourceStatus } from '../../domain/feed.ts';
import type { AccountSnapshot, CryptoSnapshot } from '../../state/snapshot.ts';
import type { RouteContext, ServedBuild, StoreHealth } from '../context.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { presentFeedOf } from '../records/events.ts';
import { recordOf } from '../records/record.ts';

const PostSourceState = recordOf<PostSourceStatus>('PostSourceState')({
  name: [Type.String(), ({ name }) => name],
  state: [Type.Enum(['leads', 'repairs', 'failing', 'stopped']), ({ state }) => state],
  answered_ts: [MaybeTs, ({ answeredTs }) => answeredTs],
  lag_s: [Type.Integer({ description: 'Median delay, in seconds' }), ({ lagMs }) => Math.round(lagMs / 1000)],
  problem: [Type.Union([Type.String(), Type.Null()]), ({ problem }) => problem],
  spend_usd: [
    Type.Optional(
      Type.Object(
        {
          day: Type.Number({ description: 'Today, UTC; estimated from the price list' }),
          month: Type.Number(),
          cap: { ...MaybeNumber, description: 'Per calendar month' },
        },
        { description: 'Cost of reading the platform; only for INTERNAL keys' },
      ),
    ),
    ({ spend }) => spend && { day: spend.dayUsd, month: spend.monthUsd, cap: spend.capUsd },
  ],
});

const HealthAnswer = named(
  'Health',
  Type.Object({
    timestamp: Ts,
    status: Type.Enum(['ok', 'degraded', 'down']),
    feeds: dictionaryOf(dictionaryOf(FeedAge), { description: 'By account segment, then by feed' }),
    version: Type.String(),
    commit: Type.String(),
    problems: Type.Array(Type.String()),
    notes: Type.Array(Type.String(), {
      description: 'Limitations that do not degrade the service, with reasons',
    }),
    sources: Type.Optional(
      dictionaryOf(Type.Array(PostSourceState.schema), {
        description: 'Post sources by account segment, best first',
      }),
    ),
  }),
);

type Health = Static<typeof HealthAnswer>;

export function presentHealth(
  accounts: readonly Account[],
  find: (accountId: string) => AccountSnapshot | undefined,
  store: StoreHealth,
  { version, commit }: ServedBuild,
  nowTs: number,
  crypto?: CryptoSnapshot,
) {
  const problems = store.isWritable ? [] : ['the store rejects writes'];
  if (store.diskProblem) problems.push(store.diskProblem);
  problems.push(...(store.violations ?? []));
  const feeds: Health['feeds'] = {};
  const sources: Health['sources'] = {};
  const notes = listNotes(crypto);
  let isBlind = false;
  for (const { accountId, segment } of accounts) {
    const snapshot = find(accountId);
    if (!snapshot) {
      isBlind = true;
      problems.push(`${segment}: no data yet`);
      continue;
    }
    feeds[segment] = Object.fromEntries(
      snapshot.feeds.map((feed) => [nameFeed(feed), presentFeedOf(snapshot, feed, nowTs)]),
    );
    const stale = snapshot.feeds.filter((feed) => isStale(feed, nowTs));
    if (snapshot.isPastMissing) problems.push(`${segment}: backfill incomplete`);
    problems.push(...stale.map((feed) => `${segment}: feed ${nameFeed(feed)} is stale`));
    const alarms = new Set(snapshot.feeds.flatMap((feed) => feed.alarm ?? []));
    problems.push(...[...alarms].map((alarm) => `${segment}: ${alarm}`));
    problems.push(...Object.values(snapshot.notices ?? {}).map((text) => `${segment}: ${text}`));
    notes.push(...Object.values(snapshot.remarks ?? {}).map((text) => `${segment}: ${text}`));
    const disputes = snapshot.countedKinds ? describeDisputes(snapshot.countedKinds) : [];
    notes.push(...disputes.map((text) => `${segment}: ${text}`));
    if (snapshot.postSources) sources[segment] = snapshot.postSources.map(PostSourceState.present);
  }
  const status: Health['status'] = isBlind ? 'down' : problems.length > 0 ? 'degraded' : 'ok';
  return {
    status: isBlind ? 503 : 200,
    body: {
      timestamp: nowTs,
      status,
      feeds,
      version,
      commit,
      problems,
      notes,
      ...(Object.keys(sources).length > 0 ? { sources } : {}),
    },
  };
}

/** Crypto markets are independent, so missing reference prices degrade nothing else. */
function listNotes(crypto: CryptoSnapshot | undefined): string[] {
  return crypto?.oddity ? [`crypto: ${crypto.oddity}`] : [];
}

export function healthRoutes(context: RouteContext): Route[] {
  return [
    defineRoute({
      path: `${API_PREFIX}/health`,
      allowance: 'none',
      isPrepared: true,
      document: {
        operationId: 'getHealth',
        tag: 'Service',
        summary: 'Service health',
        description: '503 with status `down` when data is too old to trust.',
        ok: HealthAnswer,
      },
      handle({ nowTs, identity }) {
        const { status, body } = presentHealth(
          context.accounts,
          (accountId) => context.board.find(accountId),
          {
            ...context.storeHealth(),
            diskProblem: context.findDiskProblem(),
            violations: [...context.listViolations(), ...[context.findOutdated() ?? []].flat()],
          },
          context.build,
          nowTs,
          context.board.findCrypto(),
        );
        // Only the operator sees the cost of paid platforms.
        return { status, json: identity?.tier === 'INTERNAL' ? body : withoutSpend(body) };
      },
    }),
  ];
}

function withoutSpend<B extends Pick<Health, 'sources'>>(body: B): B {
  if (body.sources === undefined) return body;
  const sources = Object.entries(body.sources).map(([segment, listed]) => [
    segment,
    listed.map(({ spend_usd: _, ...rest }) => rest),
  ]);
  return { ...body, sources: Object.fromEntries(sources) };
}
