// The script of a storm, drawn from its seed: a sequence of short scenes, second by second, separated by long
// periods in which the machine sleeps.

import { FAULTS, type FaultSpec } from '../../simulator/faults/fault-registry.ts';
import type { FeedName } from '../../src/domain/feed.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import type { Random } from '../../src/runtime/random.ts';
import type { StoreTrouble } from './faulty-store.ts';

export type Deed =
  | { atMs: number; kind: 'kill' }
  | { atMs: number; kind: 'pause'; forMs: number }
  | { atMs: number; kind: 'step'; byMs: number }
  | { atMs: number; kind: 'post'; accountId: 'a' | 'b'; deleteAfterMs: number | null }
  | { atMs: number; kind: 'store'; who: 'leader' | 'replicas'; trouble: StoreTrouble; forMs: number };

export interface Scene {
  lengthMs: number;
  /**
   * External faults until the scene has been judged, as NAME=VALUE; the last value for a name applies.
   */
  simulatorFaults: { name: string; value: number }[];
  deeds: Deed[];
  /** No faults; ends when everything is correct, at the latest after the allowed recovery time. */
  isCalm: boolean;
}

export const SCENES_PER_DAY = 4;
const CALM_EVERY = 4;
/** Longer than a feed's longest back-off plus open calls plus a retry. */
export const CALM_MS = 6 * MINUTE_MS;
/** Posts in a calm period come early, so that they arrive everywhere by its end. */
const CALM_POSTS_MS = 10 * SECOND_MS;

/** Which feeds go stale for which account when an external system is completely down. */
export const OUTAGES: readonly { fault: string; feed: FeedName; accountIds: readonly string[] }[] = [
  { fault: 'x-down', feed: 'own', accountIds: ['a'] },
  { fault: 'mastodon-down', feed: 'own', accountIds: ['b'] },
  { fault: 'oracle-down', feed: 'oracle', accountIds: ['a', 'b'] },
  { fault: 'gamma-down', feed: 'market', accountIds: ['a', 'b'] },
  { fault: 'gamma-down', feed: 'ui', accountIds: ['a', 'b'] },
];
/** Long enough for the slowest feed to be reported stale. */
const OUTAGE_MS = 190 * SECOND_MS;
const OUTAGE_SHARE = 0.1;

export function drawScene(random: Random, index: number): Scene {
  const isCalm = index % CALM_EVERY === CALM_EVERY - 1;
  const outage = !isCalm && random.uniform() < OUTAGE_SHARE ? drawOutage(random) : null;
  const lengthMs = isCalm
    ? CALM_MS
    : outage
      ? OUTAGE_MS
      : Math.round((20 + 40 * random.uniform()) * SECOND_MS);
  const deeds: Deed[] = isCalm ? drawPosts(random, CALM_POSTS_MS, 2) : drawPosts(random, lengthMs, 5);
  const simulatorFaults = isCalm ? [] : drawSimulatorFaults(random);
  if (outage) simulatorFaults.push({ name: outage, value: 1 });
  if (!isCalm) deeds.push(...drawTrouble(random, lengthMs));
  deeds.sort((left, right) => left.atMs - right.atMs);
  return { lengthMs, simulatorFaults, deeds, isCalm };
}

function drawOutage(random: Random): string {
  return OUTAGES[Math.floor(random.uniform() * OUTAGES.length)]!.fault;
}

function drawPosts(random: Random, lengthMs: number, most: number): Deed[] {
  return Array.from({ length: Math.floor(random.uniform() * (most + 1)) }, () => ({
    atMs: random.uniform() * lengthMs,
    kind: 'post' as const,
    accountId: random.uniform() < 0.6 ? ('a' as const) : ('b' as const),
    deleteAfterMs: random.uniform() < 0.3 ? Math.round(random.uniform() * 40 * SECOND_MS) : null,
  }));
}

/** Excludes faults that stop a source until the operator acts, because a storm has no operator. */
const FOR_OPERATORS: ReadonlySet<string> = new Set(['x-no-credit', 'x-cap', 'x-forbidden']);
const STORM_FAULTS = FAULTS.filter(({ name }) => !FOR_OPERATORS.has(name));

function drawSimulatorFaults(random: Random): { name: string; value: number }[] {
  const count = Math.floor(random.uniform() * 4);
  return Array.from({ length: count }, () => {
    const spec = STORM_FAULTS[Math.floor(random.uniform() * STORM_FAULTS.length)]!;
    return { name: spec.name, value: drawValue(spec, random) };
  });
}

const FORGERIES: ReadonlySet<string> = new Set(['posts-future', 'posts-future-ids']);

/** Total outages are as likely as partial ones. */
function drawValue(spec: FaultSpec, random: Random): number {
  if (spec.unit === 'share') return random.uniform() < 0.5 ? 1 : spec.defaultValue;
  if (spec.name === 'clock-skew') return Math.round((random.uniform() - 0.5) * 10 * SECOND_MS);
  if (FORGERIES.has(spec.name)) return Math.round(10 * MINUTE_MS + random.uniform() * 48 * HOUR_MS);
  if (spec.name === 'oracle-stall') return Math.round(random.uniform() * 6 * HOUR_MS);
  return spec.defaultValue;
}

const TROUBLES: readonly StoreTrouble[] = [
  { kind: 'full' },
  { kind: 'down' },
  { kind: 'slow', byMs: 4 * SECOND_MS },
  { kind: 'forgetful', share: 0.5 },
  { kind: 'hanging', untilTs: 0, lateShare: 0.5 },
];

function drawTrouble(random: Random, lengthMs: number): Deed[] {
  const deeds: Deed[] = [];
  const at = () => random.uniform() * lengthMs * 0.8;
  if (random.uniform() < 0.25) deeds.push({ atMs: at(), kind: 'kill' });
  if (random.uniform() < 0.08) {
    deeds.push({ atMs: at(), kind: 'pause', forMs: Math.round((5 + 25 * random.uniform()) * SECOND_MS) });
  }
  if (random.uniform() < 0.15) {
    deeds.push({ atMs: at(), kind: 'step', byMs: Math.round((random.uniform() - 0.5) * 60 * SECOND_MS) });
  }
  if (random.uniform() < 0.35) deeds.push(drawStoreTrouble(random, at(), lengthMs, 'leader'));
  if (random.uniform() < 0.2) deeds.push(drawStoreTrouble(random, at(), lengthMs, 'replicas'));
  return deeds;
}

function drawStoreTrouble(random: Random, atMs: number, lengthMs: number, who: 'leader' | 'replicas'): Deed {
  const trouble = TROUBLES[Math.floor(random.uniform() * TROUBLES.length)]!;
  return { atMs, kind: 'store', who, trouble, forMs: random.uniform() * lengthMs * 0.5 };
}
