// Service health: ok, degraded (something is stale), or down (no valid data).

import type { Account } from '../../domain/account.ts';
import { isStale, nameFeed, type PostSourceStatus } from '../../domain/feed.ts';
import type { AccountSnapshot, CryptoSnapshot } from '../../state/snapshot.ts';
import { presentFeedAge } from '../records/events.ts';

export interface StoreHealth {
  isWritable: boolean;
  problem: string | null;
  /** Set while the disk is almost full. */
  diskProblem?: string | null;
  /** Invariants violated since the start. */
  violations?: readonly string[];
}

export interface ServedBuild {
  version: string;
  commit: string;
  updateNotes?: readonly string[];
}

const EASY_MARKET = 'simulator with an easy market: advice earns more than it would at real prices';

export function presentHealth(
  accounts: readonly Account[],
  find: (accountId: string) => AccountSnapshot | undefined,
  store: StoreHealth,
  { version, commit, updateNotes = [] }: ServedBuild,
  nowTs: number,
  crypto?: CryptoSnapshot,
  hasEasyMarket = false,
) {
  const problems = store.isWritable ? [] : ['the store rejects writes'];
  if (store.diskProblem) problems.push(store.diskProblem);
  problems.push(...(store.violations ?? []));
  const feeds: Record<string, Record<string, ReturnType<typeof presentFeedAge>>> = {};
  const sources: Record<string, ReturnType<typeof presentSource>[]> = {};
  const notes = [...listNotes(crypto), ...(hasEasyMarket ? [EASY_MARKET] : [])];
  let isBlind = false;
  for (const { accountId, segment } of accounts) {
    const snapshot = find(accountId);
    if (!snapshot) {
      isBlind = true;
      problems.push(`${segment}: no data yet`);
      continue;
    }
    feeds[segment] = Object.fromEntries(
      snapshot.feeds.map((feed) => [nameFeed(feed), presentFeedAge(feed, nowTs)]),
    );
    const stale = snapshot.feeds.filter((feed) => isStale(feed, nowTs));
    if (snapshot.isPastMissing) problems.push(`${segment}: backfill incomplete`);
    problems.push(...stale.map((feed) => `${segment}: feed ${nameFeed(feed)} is stale`));
    const alarms = new Set(snapshot.feeds.flatMap((feed) => feed.alarm ?? []));
    problems.push(...[...alarms].map((alarm) => `${segment}: ${alarm}`));
    problems.push(...Object.values(snapshot.notices ?? {}).map((text) => `${segment}: ${text}`));
    notes.push(...Object.values(snapshot.remarks ?? {}).map((text) => `${segment}: ${text}`));
    if (snapshot.postSources) sources[segment] = snapshot.postSources.map(presentSource);
  }
  const status = isBlind ? 'down' : problems.length > 0 ? 'degraded' : 'ok';
  return {
    status: isBlind ? 503 : 200,
    body: {
      timestamp: nowTs,
      status,
      feeds,
      version,
      commit,
      ...(updateNotes.length > 0 ? { update_notes: updateNotes } : {}),
      problems,
      notes,
      ...(Object.keys(sources).length > 0 ? { sources } : {}),
    },
  };
}

type HealthBody = ReturnType<typeof presentHealth>['body'];

export function withoutSpend(body: HealthBody): object {
  if (body.sources === undefined) return body;
  const sources = Object.entries(body.sources).map(([segment, listed]) => [
    segment,
    listed.map(({ spend_usd: _, ...rest }) => rest),
  ]);
  return { ...body, sources: Object.fromEntries(sources) };
}

function presentSource({ name, state, answeredTs, lagMs, problem, spend }: PostSourceStatus) {
  return {
    name,
    state,
    answered_ts: answeredTs,
    lag_s: Math.round(lagMs / 1000),
    problem,
    ...(spend ? { spend_usd: { day: spend.dayUsd, month: spend.monthUsd, cap: spend.capUsd } } : {}),
  };
}

/** Crypto markets are independent, so missing reference prices degrade nothing else. */
function listNotes(crypto: CryptoSnapshot | undefined): string[] {
  return [crypto?.referenceProblem, crypto?.oddity].flatMap((note) => (note ? [`crypto: ${note}`] : []));
}
