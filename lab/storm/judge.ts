// Checks at the end of a scene.

import type { Simulator } from '../../simulator/simulator.ts';
import type { EventTruth, PostTruth } from '../../simulator/truth.ts';
import type { Account } from '../../src/domain/account.ts';
import { type FeedName, isStale } from '../../src/domain/feed.ts';
import { EDITABLE_MS } from '../../src/domain/possible-edit.ts';
import type { CapturedPost } from '../../src/domain/post.ts';
import { presentHealth } from '../../src/server/endpoints/health.ts';
import { presentMeta } from '../../src/server/endpoints/meta.ts';
import { FEEDS } from '../../src/sources/feeds.ts';
import type { Board } from '../../src/state/board.ts';
import type { EventState } from '../../src/state/snapshot.ts';
import { createAdviser } from '../../src/trade/advice/adviser.ts';
import { DEFAULT_BANKROLL_USD, getSizingRules } from '../../src/trade/sizing/sizing-rules.ts';
import type { LeadName } from './leads.ts';
import { type Ledger, listVersions } from './ledger.ts';
import { type Deed, OUTAGES, type Scene } from './scene.ts';
import type { StormProcess } from './storm-process.ts';

const HEALTHY_STORE = { isWritable: true, problem: null };
/** Account feeds that advice depends on; forecasts are checked by event. */
const GROUNDS: readonly FeedName[] = ['own', 'prices'];

export interface Judgement {
  leader: StormProcess;
  accounts: readonly Account[];
  simulator: Simulator;
  ledger: Ledger;
  scene: Scene;
  /** When this process became leader; it has led without interruption since. */
  leadingSinceTs: number;
  startTs: number;
  lead: LeadName;
}

/** Violations at the end of a scene; after a calm period no trace of a fault may remain. */
export async function judgeScene(judgement: Judgement): Promise<string[]> {
  const problems = [...judgeDeltas(judgement), ...judgeHealth(judgement), ...judgeAdvice(judgement)];
  return judgement.scene.isCalm ? [...problems, ...(await judgeCounts(judgement))] : problems;
}

function judgeDeltas({ leader, accounts }: Judgement): string[] {
  const problems: string[] = [];
  const nowTs = leader.clock.now();
  for (const { accountId } of accounts) {
    for (const record of presentMeta(leader.board.find(accountId), nowTs).data) {
      const { real_counter: real, market_oracle_counter: oracle, market_ui_counter: ui } = record;
      const expected = [minus(real, oracle), minus(real, ui), minus(ui, oracle)];
      const given = [record.settlement_delta, record.display_delta, record.internal_delta];
      if (expected.some((value, index) => value !== given[index]))
        problems.push(`deltas for ${record.event_id}: got ${given}, expected ${expected}`);
    }
  }
  return problems;
}

function minus(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left - right;
}

/**
 * A feed that could not respond for too long must be stale; after a calm period the service must be healthy.
 */
function judgeHealth(judgement: Judgement): string[] {
  const { leader, accounts, simulator, scene, leadingSinceTs, lead } = judgement;
  const find = (accountId: string) => leader.board.find(accountId);
  const build = { version: '', commit: '' };
  const { body } = presentHealth(accounts, find, HEALTHY_STORE, build, leader.clock.now());
  if (scene.isCalm) {
    // The simulated oracle stalls at times, so a stale oracle feed is not a failure.
    const nowTs = simulator.now();
    const left = body.problems.filter(
      (problem) =>
        // Allows for edited posts: mirrors show the date of the newest version.
        !problem.endsWith(' s apart') &&
        !accounts.some(
          ({ accountId, segment }) =>
            // A storm runs the forecaster only occasionally.
            problem === `${segment}: feed forecast is stale` ||
            (problem === `${segment}: feed oracle is stale` &&
              nowTs - simulator.oracleSyncTs(accountId) > FEEDS.oracle.staleAfterMs / 2),
        ),
    );
    return left.length === 0 ? [] : [`health is ${body.status} after a calm period: ${left.join('; ')}`];
  }
  if (scene.deeds.some(({ kind }) => kind === 'step')) return [];
  // A leader elected while the store hangs has no data yet, and reports that.
  const isBlind = (segment: string) =>
    scene.deeds.some(hangsLeader) && body.problems.includes(`${segment}: no data yet`);
  const watchedMs = Math.min(scene.lengthMs, simulator.now() - leadingSinceTs);
  const isOut = (fault: string) =>
    scene.simulatorFaults.findLast(({ name }) => name === fault)?.value === 1 &&
    !(fault === 'x-down' && leader.isPushed);
  return OUTAGES.filter(({ fault, feed }) => isOut(fault) && (feed !== 'own' || lead === 'platform'))
    .filter(({ feed }) => watchedMs >= FEEDS[feed].staleAfterMs + 2 * FEEDS[feed].timeoutMs)
    .flatMap(({ fault, feed, accountIds }) =>
      accounts
        .filter(({ accountId }) => accountIds.includes(accountId))
        .filter(({ segment }) => !body.feeds[segment]?.[feed]?.stale && !isBlind(segment))
        // Another source leads, and health reports which and why.
        .filter(({ segment }) => !(feed === 'own' && body.sources?.[segment]?.[0]?.state === 'failing'))
        .map(({ segment }) => `${fault}: feed ${feed} for ${segment} is not reported stale`),
    );
}

function hangsLeader(deed: Deed): boolean {
  return deed.kind === 'store' && deed.who === 'leader' && deed.trouble.kind === 'hanging';
}

/** Whether the feed recovered too recently: allows for the pause before the next poll, and the poll. */
export function hasOracleJustMoved({
  accounts,
  simulator,
}: Pick<Judgement, 'accounts' | 'simulator'>): boolean {
  const { pollPeriodMs, timeoutMs, maxBackoffMs } = FEEDS.oracle;
  const heardWithinMs = Math.max(pollPeriodMs, maxBackoffMs) + timeoutMs;
  return accounts.some(
    ({ accountId }) => simulator.now() - simulator.oracleSyncTs(accountId) < heardWithinMs,
  );
}

/** Stale feeds must never produce advice. */
function judgeAdvice({ leader, accounts }: Judgement): string[] {
  const nowTs = leader.clock.now();
  return accounts.flatMap((account) => {
    const snapshot = leader.board.find(account.accountId);
    const stale = snapshot?.feeds
      .filter(({ feed }) => GROUNDS.includes(feed))
      .filter((f) => isStale(f, nowTs));
    if (!snapshot || !stale?.length) return [];
    const events = createAdviser(getSizingRules(account)).advise(snapshot, DEFAULT_BANKROLL_USD, nowTs);
    const isAdvised = events.some(({ signals }) => signals.some(({ verdict }) => verdict.kind !== 'nothing'));
    return isAdvised
      ? [`${account.segment}: advice although ${stale.map(({ feed }) => feed).join()} is stale`]
      : [];
  });
}

/** After a calm period no delivered post is missing, and the board matches the store. */
async function judgeCounts(judgement: Judgement): Promise<string[]> {
  const { leader, accounts, simulator, ledger, startTs, lead } = judgement;
  // An edit may be dated up to an hour after the first version.
  const posts = simulator.truePosts(startTs - EDITABLE_MS, simulator.now());
  const truth = new Map(posts.flatMap((post) => listVersions(post).map((name) => [name, post])));
  const captured = [...ledger.captured];
  // Mirrors lack what decides whether a post counts; the count's bounds cover that doubt.
  const isExcused = (name: string, { isDoubtful }: CapturedPost) =>
    isDoubtful && (lead !== 'platform' || isThreadCut(truth.get(name)!, truth));
  const misjudged = captured.filter(
    ([name, post]) =>
      truth.has(name) && truth.get(name)!.isCounted !== post.isCounted && !isExcused(name, post),
  );
  const forged = captured.filter(([name, { createdTs }]) => createdTs >= startTs && !truth.has(name));
  const certain = captured.filter(([, { isCounted, isDoubtful }]) => isCounted && !isDoubtful);
  const repeated = [...Map.groupBy(certain, ([name]) => truth.get(name))].filter(
    ([post, versions]) => post && versions.length > 1,
  );
  const problems = [
    ...forged.map(([name]) => `post ${name} was captured but never made`),
    ...ledger.findLost(simulator, startTs).map((lost) => `post ${lost} was lost`),
    ...misjudged.map(([name, post]) => `post ${name} is counted: ${post.isCounted}`),
    ...repeated.map(([post, { length }]) => `post ${post!.id} is counted ${length} times`),
  ];
  for (const { accountId } of accounts) {
    problems.push(...(await judgeEvents(accountId, judgement)));
    problems.push(...(await judgePosts(accountId, leader)));
  }
  return problems;
}

/** Whether a parent was deleted before the conversation could be looked up: the post must stay doubtful. */
function isThreadCut(post: PostTruth, truth: ReadonlyMap<string, PostTruth>): boolean {
  const seenTs = post.firstServedTs ?? Infinity;
  let parent = truth.get(`${post.accountId}:${post.replyToId}`);
  while (parent && (parent.deletedTs ?? Infinity) > seenTs)
    parent = truth.get(`${post.accountId}:${parent.replyToId}`);
  return parent !== undefined;
}

async function judgeEvents(accountId: string, judgement: Judgement): Promise<string[]> {
  const { leader, ledger, simulator } = judgement;
  const truths = new Map(simulator.trueEvents(simulator.now()).map((truth) => [truth.eventId, truth]));
  const problems: string[] = [];
  const counted = [...ledger.captured.values()].filter(
    (post) => post.accountId === accountId && post.isCounted,
  );
  for (const state of leader.board.find(accountId)?.events ?? []) {
    const { event, counters } = state;
    const { startTs, endTs } = event.window;
    problems.push(...judgeBounds(state, truths.get(event.eventId)));
    const stored = await leader.store.posts.countCounted(accountId, startTs, endTs);
    const seen = counted.filter(({ createdTs }) => createdTs >= startTs && createdTs < endTs).length;
    if (counters.real !== stored || stored !== seen)
      problems.push(`event ${event.eventId}: shown ${counters.real}, stored ${stored}, captured ${seen}`);
  }
  return problems;
}

/** After any number of kills, every post that still exists is counted, and no post that never existed. */
function judgeBounds({ event, counters, doubt }: EventState, truth: EventTruth | undefined): string[] {
  if (!truth || counters.real === null || event.terms) return [];
  const low = counters.real - (doubt?.counted ?? 0);
  const high = counters.real + (doubt?.uncounted ?? 0);
  if (high >= truth.standing && low <= truth.counted) return [];
  return [
    `event ${event.eventId}: ${low} to ${high} counted, but ${truth.standing} of ${truth.counted} posts exist`,
  ];
}

async function judgePosts(accountId: string, { board, store }: StormProcess): Promise<string[]> {
  const problems: string[] = [];
  const shown = board.find(accountId);
  const total = await store.posts.count(accountId);
  if (shown?.totalPosts !== total)
    problems.push(`${accountId}: ${shown?.totalPosts} of ${total} posts shown`);
  const newest = (await store.posts.listRecent(accountId, 15, 0)).map(({ postId }) => postId);
  const page = shown?.recentPosts.slice(0, 15).map(({ postId }) => postId) ?? [];
  if (newest.join() !== page.join())
    problems.push(`${accountId}: the first page does not contain the newest posts`);
  return problems;
}

/** Replicas show the leader's saved state, at most one poll later. */
export function judgeReplicas(accounts: readonly Account[], leaders: Board, replicas: Board): string[] {
  return accounts.flatMap(({ accountId }) => {
    const [ours, theirs] = [leaders.find(accountId), replicas.find(accountId)];
    return (ours?.events ?? []).flatMap(({ event, counters }) => {
      const shown = theirs?.events.find((state) => state.event.eventId === event.eventId)?.counters.real;
      return shown === counters.real
        ? []
        : [`replica shows ${shown} for ${event.eventId}, not ${counters.real}`];
    });
  });
}
