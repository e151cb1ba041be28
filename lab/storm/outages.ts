// Outages of several hours: each source, all of them, and the store in every failure mode. All counts must be
// correct by the end of the calm period after each.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import type { StoreTrouble } from './faulty-store.ts';
import { CALM_MS, type Deed, OUTAGES, type Scene } from './scene.ts';

const POST_EVERY_MS = 7 * MINUTE_MS;
/** One step per poll of a feed; nothing changes within a second. */
const STEP_MS = 20 * SECOND_MS;
const STORE_TROUBLES: readonly StoreTrouble[] = [
  { kind: 'down' },
  { kind: 'full' },
  { kind: 'hanging', untilTs: 0, lateShare: 0.5 },
];

export function listOutages(hours: number): Scene[] {
  const lengthMs = hours * HOUR_MS;
  const faults = [...new Set(OUTAGES.map(({ fault }) => fault))];
  const ofSources = [...faults.map((fault) => [fault]), faults].map(
    (names): Scene => ({
      ...{ lengthMs, stepMs: STEP_MS, isCalm: false, deeds: drawPosts(lengthMs) },
      simulatorFaults: names.map((name) => ({ name, value: 1 })),
    }),
  );
  const ofStore = STORE_TROUBLES.map((trouble): Scene => {
    const away = (who: 'leader' | 'replicas'): Deed => ({
      ...{ atMs: 0, kind: 'store', who, trouble, forMs: lengthMs - MINUTE_MS },
    });
    const deeds = [away('leader'), away('replicas'), ...drawPosts(lengthMs)];
    return { lengthMs, stepMs: STEP_MS, isCalm: false, simulatorFaults: [], deeds };
  });
  const calm: Scene = { lengthMs: CALM_MS, isCalm: true, simulatorFaults: [], deeds: [] };
  return [...ofSources, ...ofStore].flatMap((scene) => [scene, calm]);
}

/** Makes posts on both accounts throughout; they are not deleted, so none may be missing afterwards. */
function drawPosts(lengthMs: number): Deed[] {
  return Array.from({ length: Math.floor(lengthMs / POST_EVERY_MS) }, (_, i) => ({
    ...{ atMs: (i + 0.5) * POST_EVERY_MS, kind: 'post' as const, deleteAfterMs: null },
    accountId: i % 2 === 0 ? ('a' as const) : ('b' as const),
  }));
}
