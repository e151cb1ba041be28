// Event dossiers as signed JSON, and the public key to verify them.

import { DossierAnswer, InstanceKeyAnswer } from '../../contract/dossier.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { compileDossier } from '../../domain/dossier.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import type { CapturedPost } from '../../domain/post.ts';
import { createKeyPair, keyIdOf, signDocument } from '../../runtime/signing.ts';
import type { CountFeed } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { findEvent } from '../find-event.ts';
import { ok, okUncached } from '../http/answer.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { type DossierParts, presentDossier } from '../views/dossier.ts';

const POSTS_AT_ONCE = 2_000;

export function dossierRoutes(context: RouteContext): Route[] {
  return [
    keyRoute(context),
    ...context.accounts.flatMap((account) => [jsonRoute(context, account), pageRoute(account)]),
  ];
}

function keyRoute(context: RouteContext): Route {
  return defineLooseRoute({
    path: `${API_PREFIX}/instance-key`,
    document: {
      operationId: 'getInstanceKey',
      tag: 'History',
      summary: "Public key for verifying this instance's dossiers",
      description: 'The key is created once per store and shared by replicas.',
      ok: InstanceKeyAnswer,
    },
    async handle({ nowTs }) {
      const { publicKey } = await findKey(context);
      const data = { algorithm: 'Ed25519', key_id: keyIdOf(publicKey), public_key: publicKey };
      return ok({ timestamp: nowTs, data });
    },
  });
}

function jsonRoute(context: RouteContext, account: Account): Route {
  return defineLooseRoute({
    path: `${API_PREFIX}/history/${account.segment}/{event_id}/dossier`,
    access: 'optional',
    document: {
      operationId: `getDossier_${account.segment}`,
      tag: 'History',
      summary: `Why an event of ${account.segment} settled as it did, signed`,
      description:
        'The explanation, the counts from every source, and every settlement; for PRO also each post with its verdict, counts by rule, and disagreements.',
      ok: DossierAnswer,
      also: [404],
    },
    async handle({ params, view, nowTs }) {
      const parts = await collect(context, account, params.event_id!, nowTs);
      const dossier = presentDossier(parts, view);
      const signature = signDocument(dossier, await findKey(context));
      return okUncached({ timestamp: nowTs, data: { dossier, signature } });
    },
  });
}

/** Redirects to the dashboard, because a plain page load cannot send a key. */
function pageRoute(account: Account): Route {
  return defineLooseRoute({
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

async function collect(
  context: RouteContext,
  account: Account,
  idText: string,
  nowTs: number,
): Promise<DossierParts> {
  const { store, withDeadline } = context;
  const event = await findEvent(context, account, idText);
  const { startTs, endTs } = event.window;
  const readCounts = async (feed: CountFeed) =>
    (await store.counts.history(event.eventId, feed)).map(({ observedTs, count }) => ({
      ts: observedTs,
      count,
    }));
  const [posts, listings, oracle, ui, settlements] = await withDeadline(
    Promise.all([
      readPosts(context, event),
      store.oraclePosts.list(account.accountId, startTs, endTs),
      readCounts('oracle'),
      readCounts('ui'),
      store.settlements.history(event.eventId),
    ]),
  );
  const rule = event.terms?.countingRule ?? account.countingRule;
  const input = { event, rule, posts, listings, oracle, ui, settlements };
  const snapshot = context.board.find(account.accountId);
  return { account, input, dossier: compileDossier(input), snapshot, nowTs };
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
