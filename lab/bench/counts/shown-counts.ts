// Final check of the displayed counts: compares both accounts' /meta with the simulator's deliveries, for
// active events.

import { setTimeout as wait } from 'node:timers/promises';
import type { EventTruth } from '../../../simulator/truth.ts';
import { diedWithItsReader, wasShown } from './compare.ts';
import type { ServiceKeeper } from './service-keeper.ts';
import type { SimulatorControl } from './simulator-control.ts';

export interface ShownCounts {
  /** Counts of active events by id; also compared with the store. */
  counts: Map<number, number | null>;
  /** Simulated time before the counts were read; later deliveries need not be included. */
  atTs: number;
  broken: string[];
}

export interface ShownOptions {
  simulator: SimulatorControl;
  keeper: ServiceKeeper;
  key: string;
  speed: number;
  /** When a process was killed or the machine stalled. */
  killTs: () => readonly number[];
  withinMs: number;
}

/** Polls until every active event shows its expected count, with a deadline. */
export async function waitForShownCounts(options: ShownOptions): Promise<ShownCounts> {
  const untilMs = performance.now() + options.withinMs;
  for (;;) {
    const found = await compareShown(options);
    if (found.broken.length === 0 || performance.now() > untilMs) return found;
    await wait(1_000);
  }
}

async function compareShown({
  simulator,
  keeper,
  key,
  speed,
  ...options
}: ShownOptions): Promise<ShownCounts> {
  const { timestamp, events } = await simulator.truth(await simulator.now(), false);
  const active = events.filter((event) => event.endTs > timestamp);
  const { posts } = await simulator.truth(Math.min(...active.map((event) => event.startTs)), true);
  const killTs = options.killTs();
  const countedOf = ({ accountId, startTs, endTs }: EventTruth) =>
    posts.filter(
      (post) =>
        post.accountId === accountId && post.isCounted && post.createdTs >= startTs && post.createdTs < endTs,
    );
  const shown = await readCounters(keeper.url()!, key);
  const counts = new Map(active.map(({ eventId }) => [eventId, shown.get(eventId)?.real_counter ?? null]));
  const broken = active.flatMap((event) => {
    const counted = countedOf(event);
    const pending = counted.filter((post) => wasShown(post, false, timestamp));
    // If the oracle leads, its posts of the last hour count immediately; if it only repairs gaps, not yet.
    const mayBe = counted.filter((post) => wasShown(post, true, timestamp)).length;
    // A post delivered during a kill may or may not have reached the disk.
    const doubtful = pending.filter((post) => diedWithItsReader(post, { killTs, speed })).length;
    const count = counts.get(event.eventId) ?? -1;
    const { real_counter_low: low = count, real_counter_high: high = count } = shown.get(event.eventId) ?? {};
    const most = Math.max(mayBe, pending.length);
    return low <= most && high >= pending.length - doubtful
      ? []
      : [`/meta ${event.slug}: shows ${count} (${low} to ${high}), ${pending.length} to ${most} delivered`];
  });
  return { counts, atTs: timestamp, broken };
}

interface ShownCounter {
  event_id: number;
  real_counter: number | null;
  real_counter_low?: number;
  real_counter_high?: number;
}

async function readCounters(url: string, key: string): Promise<Map<number, ShownCounter>> {
  const counters = new Map<number, ShownCounter>();
  for (const segment of ['account_a', 'account_b']) {
    const response = await fetch(`${url}/api/v1/meta/${segment}`, { headers: { 'X-API-Key': key } });
    const body = (await response.json()) as { data?: ShownCounter[] };
    for (const counter of body.data ?? []) counters.set(counter.event_id, counter);
  }
  return counters;
}
