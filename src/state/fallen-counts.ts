// Finds counts that fell between two snapshots by more than doubtful posts explain.

import type { AccountSnapshot, EventState } from './snapshot.ts';

export interface FallenCount {
  eventId: number;
  from: number;
  to: number;
  /** True if the contract excludes deleted posts, so that a deletion lowers the count. */
  losesDeleted: boolean;
}

export function findFallenCounts(previous: AccountSnapshot, next: AccountSnapshot): FallenCount[] {
  // Cheap exit for the usual case: prices change far more often than events.
  if (previous.events === next.events) return [];
  const before = new Map(previous.events.map((state) => [state.event.eventId, state]));
  return next.events.flatMap((state) => compare(before.get(state.event.eventId), state) ?? []);
}

/** With a different window or rule it is a different count, so there is nothing to compare. */
function compare(before: EventState | undefined, after: EventState): FallenCount | null {
  if (!before || before === after || !hasSameTerms(before, after)) return null;
  const { real: from } = before.counters;
  const { real: to } = after.counters;
  if (from === null || to === null) return null;
  // Only posts that were doubtful before can turn out not to count.
  const doubtful = before.doubt?.counted ?? 0;
  const { eventId } = after.event;
  return from - to > doubtful ? { eventId, from, to, losesDeleted: losesDeleted(after) } : null;
}

function hasSameTerms({ event: before }: EventState, { event: after }: EventState): boolean {
  if (before === after) return true;
  const { startTs, endTs } = after.window;
  const isSameWindow = before.window.startTs === startTs && before.window.endTs === endTs;
  const rules = [before, after].map(({ terms }) => JSON.stringify(terms?.countingRule ?? null));
  return isSameWindow && rules[0] === rules[1];
}

export function losesDeleted({ event }: EventState): boolean {
  return event.terms?.countingRule.deletedPosts === false;
}
