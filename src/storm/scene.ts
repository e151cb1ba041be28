// What a storm does to the service, drawn from its seed: a run is a row of short scenes, lived second by second, with
// long stretches between them in which the machine sleeps.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/units.ts';
import type { Random } from '../runtime/random.ts';
import { FAULTS, type FaultSpec } from '../world/faults/fault-registry.ts';
import type { StoreTrouble } from './faulty-store.ts';

export type Deed =
  | { atMs: number; kind: 'kill' }
  | { atMs: number; kind: 'pause'; forMs: number }
  | { atMs: number; kind: 'step'; byMs: number }
  | { atMs: number; kind: 'post'; accountId: 'a' | 'b'; deleteAfterMs: number | null }
  | { atMs: number; kind: 'store'; who: 'leader' | 'replicas'; trouble: StoreTrouble; forMs: number };

export interface Scene {
  lengthMs: number;
  /** How long the machine sleeps afterwards. */
  sleepMs: number;
  /** Faults of the outside world for the whole scene, as NAME=VALUE. */
  worldFaults: { name: string; value: number }[];
  deeds: Deed[];
  /** Nothing is done to it, and it is long enough to recover: then everything must be right. */
  isCalm: boolean;
}

export const SCENES_PER_DAY = 12;
const CALM_EVERY = 6;
/** Longer than the longest back-off of a feed, and time to ask again. */
export const CALM_MS = 6 * MINUTE_MS;

export function drawScene(random: Random, index: number): Scene {
  const isCalm = index % CALM_EVERY === CALM_EVERY - 1;
  const lengthMs = isCalm ? CALM_MS : Math.round((40 + 50 * random.uniform()) * SECOND_MS);
  const deeds: Deed[] = drawPosts(random, lengthMs, isCalm ? 2 : 5);
  const worldFaults = isCalm ? [] : drawWorldFaults(random);
  if (!isCalm) deeds.push(...drawTrouble(random, lengthMs));
  deeds.sort((left, right) => left.atMs - right.atMs);
  return { lengthMs, sleepMs: (HOUR_MS * 24) / SCENES_PER_DAY - lengthMs, worldFaults, deeds, isCalm };
}

function drawPosts(random: Random, lengthMs: number, most: number): Deed[] {
  return Array.from({ length: Math.floor(random.uniform() * (most + 1)) }, () => ({
    atMs: random.uniform() * lengthMs,
    kind: 'post' as const,
    accountId: random.uniform() < 0.6 ? ('a' as const) : ('b' as const),
    deleteAfterMs: random.uniform() < 0.3 ? Math.round(random.uniform() * 40 * SECOND_MS) : null,
  }));
}

function drawWorldFaults(random: Random): { name: string; value: number }[] {
  const count = Math.floor(random.uniform() * 4);
  return Array.from({ length: count }, () => {
    const spec = FAULTS[Math.floor(random.uniform() * FAULTS.length)]!;
    return { name: spec.name, value: drawValue(spec, random) };
  });
}

/** An outage is as often whole as it is partial. */
function drawValue(spec: FaultSpec, random: Random): number {
  if (spec.unit === 'share') return random.uniform() < 0.5 ? 1 : spec.defaultValue;
  if (spec.name === 'clock-skew') return Math.round((random.uniform() - 0.5) * 10 * SECOND_MS);
  if (spec.name === 'oracle-stall') return Math.round(random.uniform() * 6 * HOUR_MS);
  return spec.defaultValue;
}

const TROUBLES: readonly StoreTrouble[] = [
  { kind: 'full' },
  { kind: 'down' },
  { kind: 'slow', byMs: 4 * SECOND_MS },
  { kind: 'forgetful', share: 0.5 },
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
