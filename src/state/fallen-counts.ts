// Which counts fell between two snapshots, beyond what doubtful posts explain.

import type { AccountSnapshot, EventState } from './snapshot.ts';

export interface FallenCount {
  eventId: number;
  from: number;
  to: number;
  /** Its contract excludes deleted posts: a deletion lowers the count. */
  losesDeleted: boolean;
}

export function findFallenCounts(previous: AccountSnapshot, next: AccountSnapshot): FallenCount[] {
  // Prices change far more often than events.
  if (previous.events === next.events) return [];
  const before = new Map(previous.events.map((state) => [state.event.eventId, state]));
  return next.events.flatMap((state) => compare(before.get(state.event.eventId), state) ?? []);
}

/** A changed window or rule makes it another count. */
function compare(before: EventState | undefined, after: EventState): FallenCount | null {
  if (!before || before === after || !hasSameTerms(before, after)) return null;
  const { real: from } = before.counters;
  const { real: to } = after.counters;
  if (from === null || to === null) return null;
  // Only these can settle as not counted; there may be new doubts since.
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
