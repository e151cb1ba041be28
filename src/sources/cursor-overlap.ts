// How far before its cursor a poll reads. A post can become visible after a newer one, so a poll reads back a
// little after each new post, and further back now and then. Doing so on every poll would cost a paid read
// every second, even when nothing is posted.

import type { Clock } from '../runtime/clock.ts';
import { SourceError } from '../runtime/errors.ts';
import { isAhead } from './plausibility.ts';
import { type IdClock, idAt, rewindId, statusIdTs } from './status-id.ts';

const OVERLAP_MS = 2 * 60_000;
const SWEEP_PERIOD_MS = 5 * 60_000;
const SWEEP_DEPTH_MS = 60 * 60_000;

export interface CursorOverlap {
  /** The id to read from: the cursor or an earlier id. */
  startFrom(cursor: string): string;
  /** Call when the poll that used startFrom has succeeded. */
  settle(): void;
}

export function createCursorOverlap(clock: Clock, ids: IdClock): CursorOverlap {
  let sweptTs: number | null = null;
  let sweepingTs: number | null = null;
  return {
    startFrom(cursor) {
      const nowTs = clock.now();
      const isSweepDue = sweptTs === null || Math.abs(nowTs - sweptTs) >= SWEEP_PERIOD_MS;
      sweepingTs = isSweepDue ? nowTs : null;
      if (isSweepDue) return rewindId(cursor, SWEEP_DEPTH_MS, ids);
      const newestTs = statusIdTs(cursor, ids);
      const isRecent = newestTs !== null && nowTs - newestTs < OVERLAP_MS;
      return isRecent ? rewindId(cursor, OVERLAP_MS, ids) : cursor;
    },
    settle() {
      sweptTs = sweepingTs ?? sweptTs;
    },
  };
}

/** How far back to read if the saved cursor lies in the future, e.g. because of a misdated post. */
const RECOVERY_MS = 48 * 60 * 60_000;

/** Returns the saved cursor unless it lies in the future, where no post would ever be newer. */
export function recoverCursor(cursor: string, nowTs: number, ids: IdClock): string {
  return isAhead(statusIdTs(cursor, ids), nowTs) ? idAt(nowTs - RECOVERY_MS, ids) : cursor;
}

/** Returns the next page's cursor; throws if it was used before. Create one function per walk. */
export function createPageWalk(name: string): (cursor: string | null) => string | null {
  const seen = new Set<string>();
  return (cursor) => {
    if (cursor !== null && seen.has(cursor))
      throw new SourceError(`${name}: its pages repeat`, { isRetryable: true });
    if (cursor !== null) seen.add(cursor);
    return cursor;
  };
}
