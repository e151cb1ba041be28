// What must hold at the end of a scene.

import { presentHealth } from '../api/views/health.ts';
import { presentMeta } from '../api/views/meta.ts';
import type { Account } from '../domain/account.ts';
import { FEEDS } from '../sources/feeds.ts';
import type { World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';
import type { Scene } from './scene.ts';
import type { StormProcess } from './storm-process.ts';

const HEALTHY_STORE = { isWritable: true, problem: null };

export interface Judgement {
  leader: StormProcess;
  accounts: readonly Account[];
  world: World;
  ledger: Ledger;
  scene: Scene;
  /** Since when this process has led without a break. */
  leadingSinceTs: number;
  startTs: number;
}

export async function judgeScene(judgement: Judgement): Promise<void> {
  judgeDeltas(judgement);
  judgeHealth(judgement);
  if (judgement.scene.isCalm) await judgeCounts(judgement);
}

function judgeDeltas({ leader, accounts, ledger, world }: Judgement): void {
  const nowTs = leader.clock.now();
  for (const { accountId } of accounts) {
    for (const record of presentMeta(leader.board.find(accountId), nowTs).data) {
      const { real_counter: real, market_oracle_counter: oracle, market_ui_counter: ui } = record;
      const expected = [minus(real, oracle), minus(real, ui), minus(ui, oracle)];
      const given = [record.settlement_delta, record.display_delta, record.internal_delta];
      if (expected.some((value, index) => value !== given[index]))
        ledger.fail(world.now(), `deltas of ${record.event_id}: ${given} where ${expected} was due`);
    }
  }
}

function minus(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left - right;
}

/** A feed that could not answer for longer than it may is told dark; a calm service is told well. */
function judgeHealth({ leader, accounts, ledger, world, scene, leadingSinceTs }: Judgement): void {
  const find = (accountId: string) => leader.board.find(accountId);
  const build = { version: '', commit: '' };
  const { body } = presentHealth(accounts, find, HEALTHY_STORE, build, leader.clock.now());
  if (scene.isCalm && body.status !== 'ok')
    ledger.fail(world.now(), `health is ${body.status} after a calm: ${body.problems.join('; ')}`);
  const watchedMs = Math.min(scene.lengthMs, world.now() - leadingSinceTs);
  for (const [fault, feed, index] of [
    ['x-down', 'own', 0],
    ['mastodon-down', 'own', 1],
  ] as const) {
    const isOut = scene.worldFaults.some(({ name, value }) => name === fault && value === 1);
    const wasStepped = scene.deeds.some(({ kind }) => kind === 'step');
    if (!isOut || wasStepped || watchedMs < FEEDS[feed].staleAfterMs + 2 * FEEDS[feed].timeoutMs) continue;
    const isTold = body.feeds[accounts[index]!.segment]?.[feed]?.stale;
    if (!isTold) ledger.fail(world.now(), `${fault}: the dark feed is not told`);
  }
}

/** After a calm nothing that was handed out is missing, and the board shows what the store holds. */
async function judgeCounts({ leader, accounts, world, ledger, startTs }: Judgement): Promise<void> {
  for (const lost of ledger.findLost(world, startTs)) ledger.fail(world.now(), `post ${lost} was lost`);
  const truth = new Map(
    world.truePosts(startTs, world.now()).map((post) => [`${post.accountId}:${post.id}`, post]),
  );
  const counted = [...ledger.captured.entries()];
  for (const [name, post] of counted) {
    const known = truth.get(name);
    if (known && known.isCounted !== post.isCounted)
      ledger.fail(world.now(), `post ${name} is counted: ${post.isCounted}`);
  }
  for (const { accountId } of accounts) {
    for (const { event, counters } of leader.board.find(accountId)?.events ?? []) {
      const { startTs: fromTs, endTs } = event.window;
      const stored = await leader.store.posts.countCounted(accountId, fromTs, endTs);
      const seen = counted.filter(
        ([, post]) =>
          post.accountId === accountId &&
          post.isCounted &&
          post.createdTs >= fromTs &&
          post.createdTs < endTs,
      ).length;
      if (counters.real !== stored || stored !== seen)
        ledger.fail(
          world.now(),
          `event ${event.eventId}: shown ${counters.real}, stored ${stored}, captured ${seen}`,
        );
    }
    const shown = leader.board.find(accountId);
    const total = await leader.store.posts.count(accountId);
    if (shown?.totalPosts !== total)
      ledger.fail(world.now(), `${accountId}: ${shown?.totalPosts} posts shown of ${total}`);
    const newest = (await leader.store.posts.listRecent(accountId, 15, 0)).map(({ postId }) => postId);
    const page = shown?.recentPosts.slice(0, 15).map(({ postId }) => postId) ?? [];
    if (newest.join() !== page.join())
      ledger.fail(world.now(), `${accountId}: the first page is not the newest posts`);
  }
}
