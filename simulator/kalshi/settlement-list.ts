// The venue's settlement list: every post a few minutes late, deletions flagged in one nightly run.

import { HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { chance } from '../chance.ts';
import { easternDayNumber, easternMidnightTs } from '../eastern-time.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';

const RUN_HOUR = 3;

/**
 * When the list first includes the post: two to six minutes after it appears; null if it is deleted before
 * that.
 */
export function listedTsOf(ledger: PostLedger, seedKey: number, post: SimulatorPost): number | null {
  const listedTs = ledger.visibleTsOf(post) + (2 + 4 * chance(seedKey, post.createdTs, 61)) * MINUTE_MS;
  const deletedTs = ledger.deletedTsOf(post);
  return deletedTs === null || deletedTs > listedTs ? Math.round(listedTs) : null;
}

/** The first nightly run after the deletion; null while the post exists. */
export function flaggedTsOf(ledger: PostLedger, post: SimulatorPost): number | null {
  const deletedTs = ledger.deletedTsOf(post);
  return deletedTs === null ? null : nextRunTs(deletedTs);
}

function nextRunTs(ts: number): number {
  const today = easternDayNumber(ts);
  const todayRunTs = easternMidnightTs(today) + RUN_HOUR * HOUR_MS;
  return todayRunTs > ts ? todayRunTs : easternMidnightTs(today + 1) + RUN_HOUR * HOUR_MS;
}

/** Posts and reposts on the main feed; replies are not listed. */
export function isOnList(post: SimulatorPost): boolean {
  return post.isCounted;
}

/** Number of listed posts in a window as of a time, without flagged posts. */
export function countListed(
  ledger: PostLedger,
  seedKey: number,
  fromTs: number,
  toTs: number,
  asofTs: number,
): number {
  return ledger.range(fromTs, Math.min(toTs, asofTs)).filter((post) => {
    const listedTs = isOnList(post) ? listedTsOf(ledger, seedKey, post) : null;
    const flaggedTs = flaggedTsOf(ledger, post);
    return listedTs !== null && listedTs <= asofTs && (flaggedTs === null || flaggedTs > asofTs);
  }).length;
}
