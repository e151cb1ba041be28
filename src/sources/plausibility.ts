// Decides whether an observed count may be published. Pure: takes and returns the state of a gate. A count
// that falls by maxFall or rises by maxRise between two polls is more likely a bad response than a real
// change, so it is held and reported. It is accepted once many polls over a period agree: an oracle may
// really backfill a day of posts or drop a duplicate import. A count that another source confirms is accepted
// immediately: then the previous response was the bad one.

import type { Post } from '../domain/post.ts';
import { MINUTE_MS } from '../domain/units.ts';
import type { SkippedItem } from './source.ts';
import { type IdClock, statusIdTs } from './status-id.ts';

export interface CountBounds {
  /** A fall of this much or more is held. */
  maxFall: number;
  /** A rise of this much or more is held. */
  maxRise: number;
  /** Polls that must agree before a held count is accepted. */
  confirmObservations: number;
  /** Period over which they must agree. */
  confirmPeriodMs: number;
}

export interface CountGate {
  published: number | null;
  held: { count: number; sinceTs: number; observations: number } | null;
}

export interface CountVerdict {
  gate: CountGate;
  /** The count to show; null only if none was ever accepted. */
  count: number | null;
  isHeld: boolean;
  /** For the feed's status and the log; null if the count is normal. */
  problem: string | null;
}

export const EMPTY_GATE: CountGate = { published: null, held: null };

/** No account posts this much in a month; a higher first count is held too. */
const MAX_FIRST_COUNT = 100_000;

export function judgeCount(
  gate: CountGate,
  observed: number,
  nowTs: number,
  bounds: CountBounds,
  /** The count according to a reliable second source. */
  witness: number | null = null,
): CountVerdict {
  if (!Number.isSafeInteger(observed) || observed < 0) {
    return held(gate, `${observed} is not a count`);
  }
  const isWitnessed = witness !== null && Math.abs(observed - witness) < bounds.maxFall;
  if (isWitnessed || isPlausibleStep(gate.published, observed, bounds)) return believe(observed);
  const next = extendHold(gate.held, observed, nowTs, bounds);
  const isConfirmed =
    next.observations >= bounds.confirmObservations && nowTs - next.sinceTs >= bounds.confirmPeriodMs;
  if (isConfirmed && observed <= MAX_FIRST_COUNT) return believe(observed);
  return held({ published: gate.published, held: next }, describeStep(gate.published, observed));
}

function isPlausibleStep(from: number | null, to: number, bounds: CountBounds): boolean {
  if (from === null) return to <= MAX_FIRST_COUNT;
  return from - to < bounds.maxFall && to - from < bounds.maxRise;
}

/** If a held count changes, the wait restarts. */
function extendHold(
  hold: CountGate['held'],
  observed: number,
  nowTs: number,
  bounds: CountBounds,
): NonNullable<CountGate['held']> {
  if (!hold || !isPlausibleStep(hold.count, observed, bounds)) {
    return { count: observed, sinceTs: nowTs, observations: 1 };
  }
  return { count: observed, sinceTs: hold.sinceTs, observations: hold.observations + 1 };
}

function believe(count: number): CountVerdict {
  return { gate: { published: count, held: null }, count, isHeld: false, problem: null };
}

function held(gate: CountGate, problem: string): CountVerdict {
  return { gate, count: gate.published, isHeld: true, problem };
}

function describeStep(from: number | null, to: number): string {
  if (from === null) return `a first count of ${to} is held back as implausible`;
  const word = to < from ? 'fall' : 'jump';
  return `a ${word} from ${from} to ${to} is held back until it is confirmed`;
}

// Rejects posts from the future. A single future date or id would move the cursor past all later posts, and
// the count would stop forever.

/** Clocks may differ by seconds; a difference of minutes is an error. */
export const MAX_AHEAD_MS = 5 * MINUTE_MS;

export function isAhead(ts: number | null, nowTs: number): boolean {
  return ts !== null && ts > nowTs + MAX_AHEAD_MS;
}

export function dropFuturePosts(
  posts: readonly Post[],
  nowTs: number,
  ids: IdClock | null,
): { posts: Post[]; skipped: SkippedItem[] } {
  const kept: Post[] = [];
  const skipped: SkippedItem[] = [];
  for (const post of posts) {
    const idTs = ids && statusIdTs(post.postId, ids);
    if (isAhead(post.createdTs, nowTs) || isAhead(idTs, nowTs)) {
      skipped.push({ what: `post ${post.postId}`, reason: describeAhead(post, idTs, nowTs), isFuture: true });
    } else kept.push(post);
  }
  return { posts: kept, skipped };
}

function describeAhead(post: Post, idTs: number | null, nowTs: number): string {
  const minutes = Math.round((Math.max(post.createdTs, idTs ?? 0) - nowTs) / MINUTE_MS);
  return `post ${post.postId} is dated ${minutes} minutes in the future and was rejected`;
}
