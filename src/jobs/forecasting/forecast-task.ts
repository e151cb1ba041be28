// Builds the forecaster's request for one event from the current state.

import { isStale } from '../../domain/feed.ts';
import { isInside } from '../../domain/market-event.ts';
import type { CapturedPost } from '../../domain/post.ts';
import type { OracleState } from '../../forecast/types.ts';
import { isSyncFailing } from '../../state/count-bounds.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type { ContractInputs, EventTask } from './forecast-messages.ts';

export function toTask(
  state: EventState,
  snapshot: AccountSnapshot,
  asofTs: number,
  wantsBaselines: boolean,
  contract?: ContractInputs,
): EventTask {
  const { event, counters } = state;
  const seenUntilTs = findLastSeenTs(snapshot, asofTs);
  return {
    ...(seenUntilTs !== null && { seenUntilTs }),
    eventId: event.eventId,
    window: event.window,
    countSoFar: counters.real!,
    // An additional venue's settlement list lags by design; thinning covers its rule and deletions.
    ...(event.terms ? {} : { oracle: describeOracle(state, snapshot, contract?.disputed) }),
    ...(contract && { contract }),
    ranges: event.buckets.map(({ lo, hi }) => ({ lo, hi })),
    wantsBaselines,
  };
}

/** When posts were last read if they are stale; null if they are fresh. */
function findLastSeenTs({ feeds }: AccountSnapshot, asofTs: number): number | null {
  const own = feeds.find(({ feed }) => feed === 'own');
  return own?.updatedTs != null && isStale(own, asofTs) ? own.updatedTs : null;
}

/** The oracle imports nine posts out of ten within 5 minutes, so an older gap is not just its delay. */
const IMPORT_LAG_MS = 30 * 60_000;

/** Deleted posts count as missed by the oracle only if they explain its whole gap; otherwise it may be stalled. */
function describeOracle(
  { event, counters, oracleUpdatedTs, doubt }: EventState,
  snapshot: AccountSnapshot,
  disputed: ContractInputs['disputed'],
): OracleState {
  const counted = snapshot.recentPosts.filter(
    (post) => post.isCounted && isInside(event.window, post.createdTs),
  );
  const deleted = counted.filter((post) => post.deletedTs !== null);
  const isDue = (post: CapturedPost) => post.createdTs <= (oracleUpdatedTs ?? 0) - IMPORT_LAG_MS;
  const behind = counters.oracle === null ? 0 : Math.max(0, (counters.real ?? 0) - counters.oracle);
  const waiting = counted.filter((post) => post.deletedTs === null && !isDue(post)).length;
  const missed = Math.max(0, behind - waiting);
  const deletedMissed = missed <= deleted.filter(isDue).length ? missed : 0;
  const inWindow = snapshot.recentPosts.filter(
    (post) =>
      post.isSelfReply && !post.isDoubtful && !post.isVersion && isInside(event.window, post.createdTs),
  );
  const fresh = { counted: 0, uncounted: 0 };
  for (const post of inWindow) if (!isDue(post)) fresh[post.isCounted ? 'counted' : 'uncounted']++;
  const due = Math.max(0, (doubt?.ownThread ?? 0) - fresh.counted);
  const contested = disputed && {
    waiting: disputed.ownRejected > 0 ? fresh.counted : 0,
    missed: disputed.ownRejected > 0 ? Math.min(due, missed - deletedMissed) : 0,
    rejected: disputed.ownRejected,
    uncounted: fresh.uncounted,
    accepted: disputed.otherAccepted,
    comingKept: 1 - disputed.ownThreadShare * disputed.ownRejected,
  };
  return {
    ...(contested && { contested }),
    ...(oracleUpdatedTs !== null && { asofTs: oracleUpdatedTs }),
    count: counters.oracle,
    ...(isSyncFailing(snapshot.feeds) && { isSyncFailing: true }),
    deletedSinceLastCatchUp: Math.min(behind, deleted.length),
    deletedMissed,
  };
}
