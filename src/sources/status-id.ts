// Status ids that contain their time: 64-bit numbers with milliseconds in the upper bits. They order posts
// and allow moving a cursor back in time.

import type { Platform } from '../domain/account.ts';
import { compareIds } from '../domain/post.ts';

export interface IdClock {
  /** Bits below the milliseconds. */
  shift: bigint;
  /** Added to the upper bits to get UTC milliseconds. */
  epochTs: bigint;
}

export const SNOWFLAKE_IDS: IdClock = { shift: 22n, epochTs: 1288834974657n };
export const MASTODON_IDS: IdClock = { shift: 16n, epochTs: 0n };

/** Mirrored posts keep the ids of the original platform. */
export function idClockOf(platform: Platform): IdClock {
  return platform === 'x' ? SNOWFLAKE_IDS : MASTODON_IDS;
}

/** Plain numbers only: some servers use ids of another form, without a known time. */
export function isStatusId(id: string): boolean {
  return /^[1-9]\d{0,18}$/.test(id);
}

export function statusIdTs(id: string, ids: IdClock): number | null {
  return isStatusId(id) ? Number((BigInt(id) >> ids.shift) + ids.epochTs) : null;
}

/** Returns an id `byMs` before the given one, or the id itself if its time is unknown. */
export function rewindId(id: string, byMs: number, ids: IdClock): string {
  if (!isStatusId(id)) return id;
  const earlier = BigInt(id) - (BigInt(Math.max(0, Math.round(byMs))) << ids.shift);
  return earlier > 0n ? String(earlier) : '1';
}

/** The smallest possible id at a given time. */
export function idAt(ts: number, ids: IdClock): string {
  const id = (BigInt(Math.max(0, Math.round(ts))) - ids.epochTs) << ids.shift;
  return id > 0n ? String(id) : '1';
}

export function newestId(ids: Iterable<string>, start: string | null): string | null {
  let newest = start;
  for (const id of ids) if (newest === null || compareIds(id, newest) > 0) newest = id;
  return newest;
}
