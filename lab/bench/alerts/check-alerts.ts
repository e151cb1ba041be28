// Runs many keys' rules on a real store and checks how soon a post's alerts are sent, whether hanging
// receivers delay the others, and whether each alert keeps one id even if the leader is killed repeatedly.

import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../src/runtime/clock.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { createRandom } from '../../../src/runtime/random.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { type Latency, type PhasePair, toLatency } from './beside-hanging.ts';
import { createLeaders, type Leaders } from './leaders.ts';
import { type Receipt, type Receivers, startReceivers } from './receivers.ts';
import { insertKeys, thresholdsOf } from './rules.ts';
import { ACCOUNT, countOf, eventIdOf, POSTS_PER_EVENT } from './truth.ts';

export interface ProofPlan {
  place: { dataDir: string; databaseUrl?: string };
  keys: number;
  /** Number of phase pairs, without and with hanging receivers; 0 skips them. */
  rounds: number;
  /** Posts per phase; a whole event is best, so that every phase triggers the same alerts. */
  stretchPosts: number;
  postEveryMs: number;
  hanging: number;
  kills: number;
  /** Each leader is killed after one to two times this long. */
  lifeMs: number;
  /** A phase ends after this long without a new alert. */
  calmMs: number;
  onProgress?: (text: string) => void;
}

export interface ProofResult {
  /** Latencies at receivers that never hang. */
  pairs: PhasePair[];
  kills: number;
  pending: number;
  missing: number;
  /** Sent again under a different id. */
  doubled: number;
  /** Sent again under the same id: in flight when the leader was killed. */
  repeated: number;
  /** Sent again under the same id by the same leader. */
  repeatedByOne: number;
}

export async function checkAlerts(plan: ProofPlan): Promise<ProofResult> {
  const leaders = createLeaders(plan.place);
  const receivers = await startReceivers(leaders.index);
  const open = { ...plan.place, clock: systemClock, logger: silentLogger };
  const store = await openStore(open);
  await insertKeys(store, plan.keys, receivers.urlOf);
  const sentMs = new Map<number, number>();
  let posts = 0;
  const post = () => {
    posts += 1;
    sentMs.set(posts, performance.now());
    leaders.report({ posts });
  };
  try {
    await leaders.begin();
    // A leader detects changes only once it has loaded the rules.
    while (!(await store.watch.findMark(ACCOUNT.accountId))?.includes('counts_apart')) await wait(20);
    const stretch = async () => {
      const from = receivers.receipts.length;
      for (let i = 0; i < plan.stretchPosts; i++) {
        post();
        await wait(plan.postEveryMs);
      }
      await settle(receivers, plan.calmMs);
      return measure(plan, receivers.receipts.slice(from), sentMs);
    };
    // Plays one event first, so that every phase runs warm and starts with a new event.
    if (plan.rounds > 0) {
      posts = POSTS_PER_EVENT;
      leaders.report({ posts });
      await settle(receivers, plan.calmMs);
    }
    const pairs = await measureAlternately(plan, receivers, stretch);
    receivers.hang(plan.hanging);
    await killRepeatedly(plan, leaders, receivers, post);
    const pending = listPending(plan, posts, receivers.hanging);
    await settle(receivers, plan.calmMs, pending.length);
    return { pairs, kills: plan.kills, ...judge(pending, receivers) };
  } finally {
    await leaders.kill();
    await receivers.close();
    await store.close();
  }
}

/** Alternates the order, so that neither kind of phase always runs on the newer store. */
async function measureAlternately(
  plan: ProofPlan,
  receivers: Receivers,
  stretch: () => Promise<Latency>,
): Promise<PhasePair[]> {
  // Waits for the same quiet period before each phase, so that delayed alerts arrive before the measurement.
  const after = async (change: () => void) => {
    change();
    await settle(receivers, plan.calmMs);
    return stretch();
  };
  const alone = () => after(receivers.release);
  const beside = () => after(() => receivers.hang(plan.hanging));
  const pairs: PhasePair[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const first = round % 2 === 0 ? await alone() : null;
    const besideHanging = await beside();
    pairs.push({ alone: first ?? (await alone()), besideHanging });
    plan.onProgress?.(`phase pair ${round + 1} of ${plan.rounds}`);
  }
  return pairs;
}

async function killRepeatedly(
  plan: ProofPlan,
  leaders: Leaders,
  receivers: Receivers,
  post: () => void,
): Promise<void> {
  const random = createRandom(20261115);
  for (let kill = 0; kill < plan.kills; kill++) {
    const untilMs = performance.now() + plan.lifeMs * (1 + random.uniform());
    while (performance.now() < untilMs) {
      post();
      await wait(plan.postEveryMs);
    }
    await leaders.kill();
    await receivers.untilAlone();
    post();
    await leaders.begin();
    plan.onProgress?.(`kill ${kill + 1} of ${plan.kills}`);
  }
}

/** Expected alerts as receiver/event/threshold, for every event that has reached the threshold. */
function listPending(plan: ProofPlan, posts: number, hanging: ReadonlySet<number>): string[] {
  const receivers = Array.from({ length: plan.keys }, (_, i) => i).filter((i) => !hanging.has(i));
  const eventIds = Array.from({ length: eventIdOf(posts) }, (_, i) => i + 1);
  return receivers.flatMap((receiver) =>
    eventIds.flatMap((eventId) =>
      thresholdsOf(receiver)
        .filter((threshold) => threshold <= countOf(eventId, posts))
        .map((threshold) => `${receiver}/${eventId}/${threshold}`),
    ),
  );
}

function listApart({ receipts, hanging }: Pick<Receivers, 'receipts' | 'hanging'>): Receipt[] {
  return receipts.filter(({ kind, receiver }) => kind === 'counts_apart' && !hanging.has(receiver));
}

/** A receiver gets each threshold once per event, so the number of ids shows missing or extra alerts. */
function judge(pending: readonly string[], { receipts, hanging }: Receivers) {
  const idsOf = Map.groupBy(
    listApart({ receipts, hanging }),
    ({ receiver, eventId }) => `${receiver}/${eventId}`,
  );
  const pendingOf = Map.groupBy(pending, (name) => name.split('/').slice(0, 2).join('/'));
  let missing = 0;
  let doubled = 0;
  for (const place of new Set([...idsOf.keys(), ...pendingOf.keys()])) {
    const reported = new Set(idsOf.get(place)?.map(({ alertId }) => alertId)).size;
    const due = pendingOf.get(place)?.length ?? 0;
    missing += Math.max(0, due - reported);
    doubled += Math.max(0, reported - due);
  }
  // Ignores receivers that hung: resending is correct if one responds just as the request times out.
  const steady = receipts.filter(({ receiver }) => !hanging.has(receiver));
  const byDelivery = [...Map.groupBy(steady, ({ deliveryId }) => deliveryId).values()];
  const again = byDelivery.filter((all) => all.length > 1);
  const repeated = again.reduce((sum, all) => sum + all.length - 1, 0);
  const repeatedByOne = again.filter(
    (all) => new Set(all.map(({ leader }) => leader)).size < all.length,
  ).length;
  return { pending: pending.length, missing, doubled, repeated, repeatedByOne };
}

/** Uses the same receivers in every phase: those that never hang. */
function measure(
  { hanging }: ProofPlan,
  receipts: readonly Receipt[],
  sentMs: ReadonlyMap<number, number>,
): Latency {
  const timed = receipts.filter(
    ({ kind, receiver }) => receiver >= hanging && (kind === 'counts_apart' || kind === 'bucket_crossed'),
  );
  return toLatency(
    timed.map(({ eventId, count, receivedMs }) => receivedMs - sentMs.get((eventId - 1) * 100 + count)!),
  );
}

/** Longer than the first retry delays, so nothing else should arrive after this long. */
const GIVE_UP_MS = 60_000;

/** Waits until every expected alert has arrived and none has arrived for a while. */
async function settle(receivers: Receivers, calmMs: number, least = 0): Promise<void> {
  let lastMs = performance.now();
  for (;;) {
    const before = receivers.receipts.length;
    await wait(calmMs);
    const isQuiet = receivers.receipts.length === before;
    const isEnough = new Set(listApart(receivers).map(({ alertId }) => alertId)).size >= least;
    if (!isQuiet) lastMs = performance.now();
    if (isQuiet && (isEnough || performance.now() - lastMs > GIVE_UP_MS)) return;
  }
}
