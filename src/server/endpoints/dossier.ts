// Event dossiers as signed JSON, which explain why an event settled as it did, and the public key to verify
// them. Everyone sees the explanation, counts and settlements; PRO also sees the verdict on every post.

import { MaybeTs, named, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { compileDossier, type Dossier } from '../../domain/dossier.ts';
import type { CountAt, DossierPost, SettledCount } from '../../domain/explain-settlement.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import type { CapturedPost } from '../../domain/post.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import { createKeyPair, keyIdOf, signDocument } from '../../runtime/signing.ts';
import { giveWay } from '../../runtime/turns.ts';
import type { CountFeed } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { findEvent } from '../find-event.ts';
import { ok, okUncached } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { type PastEventSource, pastEventRows, settlementRows } from '../records/past-event.ts';
import { recordOf } from '../records/record.ts';

const POSTS_AT_ONCE = 2_000;
/** `compiled_ts` shows the age. */
const REUSE_MS = MINUTE_MS;
const MAX_KEPT = 64;

const CountChange = recordOf<CountAt>()({
  timestamp: [Ts, ({ ts }) => ts],
  count: [Type.Integer(), ({ count }) => count],
});

const SettlementRevision = recordOf<SettledCount>()(settlementRows);

const PostRecord = recordOf<DossierPost>('DossierPost')({
  tweet_id: [Type.String(), ({ post }) => post.postId],
  kind: [
    Type.String({ description: 'post, quote, repost, reply, reply to itself or community post' }),
    ({ kind }) => kind,
  ],
  created_ts: [Ts, ({ post }) => post.createdTs],
  first_seen_ts: [Ts, ({ post }) => post.firstSeenTs],
  first_source: [
    Type.Union([Type.String(), Type.Null()], { description: 'null when not recorded' }),
    ({ post }) => post.firstSource ?? null,
  ],
  is_counted: [Type.Boolean(), ({ isCounted }) => isCounted],
  verdict: [
    Type.String({ description: 'The part of the rule that decided whether the post counts' }),
    ({ verdict }) => verdict,
  ],
  deleted_ts: [MaybeTs, ({ post }) => post.deletedTs],
  oracle_imported_ts: [MaybeTs, ({ listing }) => listing?.importedTs ?? null],
  oracle_listed_ts: [MaybeTs, ({ listing }) => listing?.listedTs ?? null],
});

interface DossierSource extends PastEventSource {
  segment: string;
  compiledTs: number;
  dossier: Dossier;
  oracle: readonly CountAt[];
  ui: readonly CountAt[];
  settlements: readonly SettledCount[];
  isPro: boolean;
}

const DossierRecord = recordOf<DossierSource>('Dossier')({
  account: [Type.String(), ({ segment }) => segment],
  ...pastEventRows,
  compiled_ts: [Ts, ({ compiledTs }) => compiledTs],
  explanation: [
    Type.Array(Type.String(), { description: 'The explanation in a few sentences' }),
    ({ dossier }) => dossier.explanation,
  ],
  own_count: [Type.Integer(), ({ dossier }) => dossier.ownCount],
  oracle_counts: [
    Type.Array(CountChange.schema, { description: 'Every change, earliest first' }),
    ({ oracle }) => oracle.map(CountChange.present),
  ],
  ui_counts: [Type.Array(CountChange.schema), ({ ui }) => ui.map(CountChange.present)],
  settlements: [
    Type.Array(SettlementRevision.schema, { description: 'Every revision, earliest first' }),
    ({ settlements }) => settlements.map(SettlementRevision.present),
  ],
  counts_by_rule: [
    Type.Optional(
      Type.Array(Type.Object({ rule: Type.String(), count: Type.Integer() }), { description: 'PRO' }),
    ),
    ({ dossier, isPro }) => (isPro ? dossier.countsByRule : undefined),
  ],
  disagreements: [
    Type.Optional(
      Type.Array(Type.Object({ tweet_id: Type.String(), created_ts: Ts, what: Type.String() }), {
        description: "PRO; posts that our count and the oracle's list treat differently",
      }),
    ),
    ({ dossier: { disagreements }, isPro }) =>
      isPro
        ? disagreements.map(({ postId, createdTs, what }) => ({
            tweet_id: postId,
            created_ts: createdTs,
            what,
          }))
        : undefined,
  ],
  posts: [
    Type.Optional(Type.Array(PostRecord.schema, { description: 'PRO; every post in the window' })),
    ({ dossier, isPro }) => (isPro ? dossier.posts.map(PostRecord.present) : undefined),
  ],
});

const Algorithm = Type.Enum(['Ed25519']);
const PublicKey = Type.String({ description: 'Base64-encoded DER (SPKI)' });

const Signature = named(
  'Signature',
  Type.Object({
    algorithm: Algorithm,
    key_id: Type.String({ description: 'First 16 hex digits of the SHA-256 of public_key' }),
    public_key: PublicKey,
    value: Type.String({
      description: 'Base64 signature over `dossier` as JSON without spaces and with keys sorted by code unit',
    }),
  }),
);

const InstanceKey = recordOf<{ publicKey: string }>('InstanceKey')({
  algorithm: [Algorithm, () => 'Ed25519' as const],
  key_id: [Type.String(), ({ publicKey }) => keyIdOf(publicKey)],
  public_key: [PublicKey, ({ publicKey }) => publicKey],
});

export function dossierRoutes(context: RouteContext): Route[] {
  return [
    keyRoute(context),
    ...context.accounts.flatMap((account) => [jsonRoute(context, account), pageRoute(account)]),
  ];
}

function keyRoute(context: RouteContext): Route {
  return defineRoute({
    path: `${API_PREFIX}/instance-key`,
    document: {
      operationId: 'getInstanceKey',
      tag: 'History',
      summary: "Public key for verifying this instance's dossiers",
      description: 'The key is created once per store and shared by replicas.',
      ok: objectEnvelope('InstanceKeyAnswer', InstanceKey.schema),
    },
    async handle({ nowTs }) {
      return ok({ timestamp: nowTs, data: InstanceKey.present(await findKey(context)) });
    },
  });
}

function jsonRoute(context: RouteContext, account: Account): Route {
  const recent = createRecentResults<number, ReturnType<typeof compile>>(MAX_KEPT, REUSE_MS);

  async function compile(event: MarketEvent, isPro: boolean, nowTs: number) {
    const facts = await collect(context, account, event, nowTs);
    const dossier = DossierRecord.present({ ...facts, isPro });
    await giveWay();
    return { dossier, signature: signDocument(dossier, await findKey(context)) };
  }

  /** Shared by all callers without a key; with the posts, a dossier is too large to keep. */
  function compileOnce(event: MarketEvent, nowTs: number) {
    const { eventId } = event;
    const data = recent.get(eventId, null, context.wallClock.now(), () => compile(event, false, nowTs));
    data.catch(() => recent.drop(eventId));
    return data;
  }

  return defineRoute({
    path: `${API_PREFIX}/history/${account.segment}/{event_id}/dossier`,
    access: 'optional',
    query: Type.Object({
      view: Type.Optional(
        Type.Enum(['public'], { description: 'Return the public view, also to PRO; for publishing' }),
      ),
    }),
    document: {
      operationId: `getDossier_${account.segment}`,
      tag: 'History',
      summary: `Why an event of ${account.segment} settled as it did, signed`,
      description:
        'The explanation, the counts from every source, and every settlement; for PRO also each post with its verdict, counts by rule, and disagreements.',
      ok: objectEnvelope(
        'DossierAnswer',
        named('SignedDossier', Type.Object({ dossier: DossierRecord.schema, signature: Signature })),
      ),
      also: [404],
    },
    async handle({ params, query, view, nowTs }) {
      const event = await findEvent(context, account, params.event_id!);
      const isPro = view === 'pro' && query.view !== 'public';
      const data = await (isPro ? compile(event, true, nowTs) : compileOnce(event, nowTs));
      return okUncached({ timestamp: nowTs, data });
    },
  });
}

/** Redirects to the dashboard, because a plain page load cannot send a key. */
function pageRoute(account: Account): Route {
  return defineRoute({
    path: `/dossier/${account.segment}/{event_id}`,
    allowance: 'none',
    document: {
      operationId: `dossierPage_${account.segment}`,
      tag: 'Site',
      summary: 'Dossier',
      ok: Type.Any(),
      isPage: true,
    },
    handle: ({ params }) => ({
      status: 302,
      headers: { Location: `/#/event/${account.segment}/${encodeURIComponent(params.event_id!)}/dossier` },
    }),
  });
}

async function findKey({ store, clock, withDeadline }: RouteContext) {
  const { instanceKey } = store;
  return (
    (await withDeadline(instanceKey.find())) ?? withDeadline(instanceKey.claim(createKeyPair(), clock.now()))
  );
}

async function collect(context: RouteContext, account: Account, event: MarketEvent, compiledTs: number) {
  const { store, withDeadline } = context;
  const { startTs, endTs } = event.window;
  const readCounts = async (feed: CountFeed) =>
    (await store.counts.history(event.eventId, feed)).map(({ observedTs, count }) => ({
      ts: observedTs,
      count,
    }));
  const posts = await withDeadline(readPosts(context, event));
  await giveWay();
  const [listings, oracle, ui, settlements] = await withDeadline(
    Promise.all([
      // Another venue settles by another list.
      event.terms ? [] : store.oraclePosts.list(account.accountId, startTs, endTs),
      readCounts('oracle'),
      readCounts('ui'),
      store.settlements.history(event.eventId),
    ]),
  );
  const rule = event.terms?.countingRule ?? account.countingRule;
  await giveWay();
  const input = { event, compiledTs, rule, posts, listings, oracle, ui, settlements };
  return {
    ...{ event, compiledTs, oracle, ui, settlements },
    segment: account.segment,
    settlement: settlements.at(-1),
    snapshot: context.board.find(account.accountId),
    dossier: compileDossier(input),
  };
}

async function readPosts({ store }: RouteContext, event: MarketEvent): Promise<CapturedPost[]> {
  const { startTs: fromTs, endTs: untilTs } = event.window;
  const posts: CapturedPost[] = [];
  for (;;) {
    const after = posts.at(-1) ?? null;
    const page = { fromTs, untilTs, limit: POSTS_AT_ONCE, after };
    const found = await store.posts.listPage(event.accountId, page);
    posts.push(...found);
    if (found.length < POSTS_AT_ONCE) return posts;
  }
}
