// Contract-specific forecast inputs: deletions under the contract's rule, and how often its venue paid a
// bucket other than the one with the final count. Read from the store and cached.

import type { AccountId } from '../../domain/account.ts';
import { isSameRule } from '../../domain/contract.ts';
import { findDisputed, type KindLesson, learnKinds, type SettledKinds } from '../../domain/counted-kinds.ts';
import type { CountingRule } from '../../domain/counting-rule.ts';
import { isInside, type MarketEvent } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import {
  type DeletionCurve,
  foreseeDeletions,
  learnDeletions,
} from '../../forecast/distribution/deletions.ts';
import { learnChangeRate, type SettledOutcome } from '../../forecast/distribution/settlement-risk.ts';
import type { Thinning } from '../../forecast/types.ts';
import type { Store } from '../../store/ports.ts';
import type { ContractInputs } from './forecast-messages.ts';

export interface ContractReader {
  /** Which kinds of post the oracle counted in the settled windows of the first venue. */
  readKinds(accountRule: CountingRule, asofTs: number): Promise<KindLesson>;
  /** Inputs for events of the first venue if the oracle has judged replies to itself otherwise than the rule. */
  readDisputed(accountRule: CountingRule, asofTs: number): Promise<ContractInputs['disputed']>;
  /** The event's rule is either the account's own or narrower. */
  read(event: MarketEvent, accountRule: CountingRule, asofTs: number): Promise<ContractInputs>;
}

export interface ContractReaderOptions {
  accountId: AccountId;
  /** The platform name as the default venue's oracle spells it. */
  oraclePlatform: string | null;
  store: Pick<Store, 'posts' | 'events' | 'settlements' | 'oraclePosts'>;
}

const LEARNED_FROM_MS = 60 * DAY_MS;
/** Short, because settled events are still loading after the first start. */
const CACHE_MS = 10 * MINUTE_MS;
/** Longer, because one window more changes little. */
const KINDS_CACHE_MS = HOUR_MS;
/** The oracle's practice changes; older windows say little about the next. */
const KINDS_FROM_MS = 200 * DAY_MS;
/** The settlement list for these contracts flags deletions about three hours after midnight. */
const SETTLED_AFTER_MS = 3 * HOUR_MS;

export function createContractReader(options: ContractReaderOptions): ContractReader {
  const { accountId, oraclePlatform, store } = options;
  const curveOf = cacheFor(
    CACHE_MS,
    async (_: string, asofTs: number): Promise<DeletionCurve> =>
      learnDeletions(await store.posts.listDeletionTimes(accountId, asofTs - LEARNED_FROM_MS), asofTs),
  );
  const rates = cacheFor(CACHE_MS, (venue: string, asofTs: number) => learnRate(venue, asofTs));

  async function learnRate(venue: string, asofTs: number): Promise<number> {
    const events = await store.events.list(accountId, 0);
    const over = events.filter((event) => event.window.endTs <= asofTs && venueOf(event) === venue);
    const settlements = await store.settlements.latest(over.map(({ eventId }) => eventId));
    const byId = new Map(over.map((event) => [event.eventId, event]));
    const outcomes = settlements.flatMap((settled): SettledOutcome[] => {
      const event = byId.get(settled.eventId);
      if (!event || settled.winningLabel === null || settled.source !== 'oracle') return [];
      return [{ isSameBucket: labelOf(event, settled.finalCount) === settled.winningLabel }];
    });
    return learnChangeRate(venue === '' ? oraclePlatform : null, outcomes);
  }

  /** Fraction of the account's counted posts that the rule also counts, ignoring deletions. */
  async function shareOf(rule: CountingRule, asofTs: number): Promise<number> {
    const fromTs = asofTs - LEARNED_FROM_MS;
    const all = await store.posts.countCounted(accountId, fromTs, asofTs);
    const kept = await store.posts.countByRule(accountId, fromTs, asofTs, { ...rule, deletedPosts: true });
    return all === 0 ? 1 : Math.min(1, kept / all);
  }

  async function readThinning(
    rule: CountingRule,
    { window }: MarketEvent,
    asofTs: number,
  ): Promise<Thinning> {
    const curve = rule.deletedPosts ? { hazards: [] } : await curveOf('', asofTs);
    const begun = await store.posts.listDeletionTimes(accountId, window.startTs);
    const standing = begun.filter(({ createdTs, deletedTs }) => {
      return createdTs < window.endTs && (rule.deletedPosts || deletedTs === null);
    });
    const standingTs = standing.map(({ createdTs }) => createdTs);
    const settleTs = window.endTs + SETTLED_AFTER_MS;
    const foreseen = foreseeDeletions(curve, standingTs, asofTs, window.endTs, settleTs);
    return { ...foreseen, comingKept: foreseen.comingKept * (await shareOf(rule, asofTs)) };
  }

  const lessons = cacheFor(KINDS_CACHE_MS, async (text: string, asofTs: number) => {
    const settled = await readSettledKinds(store, accountId, asofTs);
    return learnKinds(JSON.parse(text) as CountingRule, settled);
  });
  const readKinds = (rule: CountingRule, asofTs: number) => lessons(JSON.stringify(rule), asofTs);

  async function readDisputed(rule: CountingRule, asofTs: number): Promise<ContractInputs['disputed']> {
    const disputed = findDisputed(await readKinds(rule, asofTs));
    if (!disputed) return undefined;
    const fromTs = asofTs - LEARNED_FROM_MS;
    const own = (await store.posts.listSelfReplies(accountId, fromTs)).filter((post) => post.isCounted);
    const all = await store.posts.countCounted(accountId, fromTs, asofTs);
    return { ...disputed, ownThreadShare: all === 0 ? 0 : own.length / all };
  }

  return {
    readKinds,
    readDisputed,
    async read(event, accountRule, asofTs) {
      const changeRate = await rates(venueOf(event), asofTs);
      const rule = event.terms?.countingRule;
      if (!rule || isSameRule(rule, accountRule)) return { changeRate };
      return { changeRate, thinning: await readThinning(rule, event, asofTs) };
    },
  };
}

/** The settled windows of the first venue, with the replies to itself that decide how the oracle counts. */
async function readSettledKinds(
  store: ContractReaderOptions['store'],
  accountId: AccountId,
  asofTs: number,
): Promise<SettledKinds[]> {
  const fromTs = asofTs - KINDS_FROM_MS;
  const events = (await store.events.list(accountId, fromTs)).filter(
    ({ terms, window }) => !terms && window.startTs >= fromTs && window.endTs <= asofTs,
  );
  const replies = await store.posts.listSelfReplies(accountId, fromTs);
  const settlements = await store.settlements.latest(events.map(({ eventId }) => eventId));
  const finals = new Map(settlements.map((one) => [one.eventId, one]));
  const settled: SettledKinds[] = [];
  for (const { eventId, window } of events) {
    const inside = replies.filter(({ createdTs }) => isInside(window, createdTs));
    const final = finals.get(eventId);
    // A window without such replies says nothing about them.
    if (final?.source !== 'oracle' || inside.length === 0) continue;
    const countKinds = (posts: typeof inside) => ({
      ownThread: posts.filter((post) => post.isOwnThread).length,
      otherThread: posts.filter((post) => !post.isOwnThread).length,
    });
    const all = await store.posts.countCounted(accountId, window.startTs, window.endTs);
    const rest = all - inside.filter((post) => post.isCounted).length;
    const list = await store.oraclePosts.list(accountId, window.startTs, window.endTs);
    const ids = new Set(list.map(({ postId }) => postId));
    const listed = countKinds(inside.filter(({ postId }) => ids.has(postId)));
    settled.push({
      window,
      posts: { post: rest, ...countKinds(inside) },
      oracle: final.finalCount,
      ...(list.length === final.finalCount && { listed: { post: rest, ...listed } }),
    });
  }
  return settled;
}

/** Empty for the account's default venue. */
function venueOf({ terms }: MarketEvent): string {
  return terms?.venue ?? '';
}

function labelOf({ buckets }: MarketEvent, count: number): string | null {
  return buckets.find(({ lo, hi }) => count >= lo && (hi === null || count <= hi))?.label ?? null;
}

function cacheFor<T>(holdsMs: number, read: (key: string, asofTs: number) => Promise<T>) {
  const kept = new Map<string, { value: T; readTs: number }>();
  return async (key: string, asofTs: number): Promise<T> => {
    const known = kept.get(key);
    if (known && asofTs - known.readTs < holdsMs) return known.value;
    const value = await read(key, asofTs);
    kept.set(key, { value, readTs: asofTs });
    return value;
  };
}
