// Runs many keys' rules on a real store and checks that each alert keeps one id even if the leader is killed
// repeatedly while some receivers hang.

import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createLeaders } from './leaders.ts';
import { type Receipt, type Receivers, startReceivers } from './receivers.ts';
import { insertKeys, thresholdsOf } from './rules.ts';
import { ACCOUNT, countOf, eventIdOf } from './truth.ts';

interface Plan {
  place: { dataDir: string; databaseUrl?: string };
  keys: number;
  postEveryMs: number;
  hanging: number;
  kills: number;
  /** Each leader is killed after one to two times this long. */
  lifeMs: number;
  /** All alerts have arrived if none arrives for this long. */
  calmMs: number;
}

export async function checkAlerts(plan: Plan) {
  const leaders = createLeaders(plan.place);
  const receivers = await startReceivers(leaders.index);
  const store = await openStore({ ...plan.place, clock: systemClock, logger: silentLogger });
  await insertKeys(store, plan.keys, receivers.urlOf);
  const random = createRandom(20261115);
  let posts = 0;
  const post = () => leaders.report({ posts: ++posts });
  try {
    await leaders.begin();
    // A leader detects changes only once it has loaded the rules.
    while (!(await store.watch.findMark(ACCOUNT.accountId))?.includes('counts_apart')) await wait(20);
    receivers.hang(plan.hanging);
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
    }
    const pending = listPending(plan, posts, receivers.hanging);
    await settle(receivers, plan.calmMs, pending.length);
    return judge(pending, receivers);
  } finally {
    await leaders.kill();
    await receivers.close();
    await store.close();
  }
}

/** Expected alerts as receiver/event/threshold, for every event that has reached the threshold. */
function listPending(plan: Plan, posts: number, hanging: ReadonlySet<number>): string[] {
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

/** Longer than the first retry delays, so nothing else should arrive after this long. */
const GIVE_UP_MS = 60_000;

/** Waits until every expected alert has arrived and none has arrived for a while. */
async function settle(receivers: Receivers, calmMs: number, least: number): Promise<void> {
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
