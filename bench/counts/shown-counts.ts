// What readers are shown at the end: /meta of both accounts against what the world handed out, for active events.

import { setTimeout as wait } from 'node:timers/promises';
import type { EventTruth } from '../../src/world/truth.ts';
import type { ServiceKeeper } from './service-keeper.ts';
import type { WorldControl } from './world-control.ts';

export interface ShownCounts {
  compared: number;
  broken: string[];
}

export interface ShownOptions {
  world: WorldControl;
  keeper: ServiceKeeper;
  key: string;
  withinMs: number;
}

/** Looks until every active event shows its count; gives up in time. */
export async function waitForShownCounts(options: ShownOptions): Promise<ShownCounts> {
  const untilMs = performance.now() + options.withinMs;
  for (;;) {
    const found = await compareShown(options);
    if (found.broken.length === 0 || performance.now() > untilMs) return found;
    await wait(1_000);
  }
}

async function compareShown({ world, keeper, key }: ShownOptions): Promise<ShownCounts> {
  const { timestamp, events } = await world.truth(await world.now(), false);
  const earliestTs = Math.min(...events.map((event) => event.startTs));
  const { posts } = await world.truth(earliestTs, true);
  const owed = ({ accountId, startTs, endTs }: EventTruth) =>
    posts.filter(
      (post) =>
        post.accountId === accountId &&
        post.isCounted &&
        post.createdTs >= startTs &&
        post.createdTs < endTs &&
        (post.firstServedTs !== null || post.importedTs !== null),
    ).length;
  const shown = await readCounters(keeper.url()!, key);
  const active = events.filter((event) => event.endTs > timestamp);
  return {
    compared: active.length,
    broken: active.flatMap((event) => {
      const count = shown.get(event.eventId) ?? null;
      return count === owed(event)
        ? []
        : [`/meta ${event.slug}: shows ${count}, ${owed(event)} were handed out`];
    }),
  };
}

async function readCounters(url: string, key: string): Promise<Map<number, number | null>> {
  const counters = new Map<number, number | null>();
  for (const segment of ['account_a', 'account_b']) {
    const response = await fetch(`${url}/api/v1/meta/${segment}`, { headers: { 'X-API-Key': key } });
    const body = (await response.json()) as { data?: { event_id: number; real_counter: number | null }[] };
    for (const { event_id, real_counter } of body.data ?? []) counters.set(event_id, real_counter);
  }
  return counters;
}
