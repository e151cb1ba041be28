// Plausibility gates of one count feed, one per event; remembers what was last believed.

import { type CountBounds, type CountGate, EMPTY_GATE, judgeCount } from '../sources/plausibility.ts';

export interface CountReadings {
  readings: { eventId: number; count: number }[];
  problem: string | null;
}

export interface CountGates {
  judge(observed: readonly { eventId: number; count: number }[], nowTs: number): CountReadings;
}

/** `publishedCount` tells what the board shows, so that a restart does not believe a glitch as its first value. */
export function createCountGates(
  bounds: CountBounds,
  publishedCount: (eventId: number) => number | null,
): CountGates {
  const gates = new Map<number, CountGate>();
  return {
    judge(observed, nowTs) {
      const result: CountReadings = { readings: [], problem: null };
      for (const { eventId, count } of observed) {
        const gate = gates.get(eventId) ?? { ...EMPTY_GATE, published: publishedCount(eventId) };
        const verdict = judgeCount(gate, count, nowTs, bounds);
        gates.set(eventId, verdict.gate);
        if (verdict.isHeld) result.problem = `event ${eventId}: ${verdict.problem}`;
        else if (verdict.count !== null) result.readings.push({ eventId, count: verdict.count });
      }
      return result;
    },
  };
}
