// Plausibility gates for one count feed: one gate per event, which remembers the last accepted count.

import { isStale } from '../../domain/feed.ts';
import { type CountBounds, type CountGate, EMPTY_GATE, judgeCount } from '../../sources/plausibility.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';

export interface CountReadings {
  readings: { eventId: number; count: number }[];
  problem: string | null;
}

export interface CountGates {
  judge(observed: readonly { eventId: number; count: number }[], nowTs: number): CountReadings;
}

/**
 * A new gate starts from the count on the board, so that after a restart a glitch is not accepted as the
 * first count. Our own count serves as the second source.
 */
export function createCountGates(
  bounds: CountBounds,
  counter: 'oracle' | 'ui',
  snapshot: () => AccountSnapshot,
): CountGates {
  const find = (eventId: number) => snapshot().events.find((state) => state.event.eventId === eventId);
  const gates = new Map<number, CountGate>();
  return {
    judge(observed, nowTs) {
      const result: CountReadings = { readings: [], problem: null };
      for (const { eventId, count } of observed) {
        const counters = find(eventId)?.counters;
        const gate = gates.get(eventId) ?? { ...EMPTY_GATE, published: counters?.[counter] ?? null };
        const witness = isCountingWell(snapshot(), nowTs) ? (counters?.real ?? null) : null;
        const verdict = judgeCount(gate, count, nowTs, bounds, witness);
        gates.set(eventId, verdict.gate);
        if (verdict.isHeld) result.problem = `event ${eventId}: ${verdict.problem}`;
        else if (verdict.count !== null) result.readings.push({ eventId, count: verdict.count });
      }
      return result;
    },
  };
}

/** Whether our own count is reliable enough to confirm or contradict another. */
function isCountingWell({ feeds, isPastMissing }: AccountSnapshot, nowTs: number): boolean {
  const own = feeds.find(({ feed }) => feed === 'own');
  return !isPastMissing && own !== undefined && !isStale(own, nowTs);
}
