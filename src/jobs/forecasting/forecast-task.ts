// Builds the forecaster's request for one event from the current state.

import { isStale } from '../../domain/feed.ts';
import { isInside } from '../../domain/market-event.ts';
import type { OracleState } from '../../forecast/types.ts';
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
    ...(event.terms ? {} : { oracle: describeOracle(state, snapshot) }),
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

/** `deletedSinceLastCatchUp`: deleted posts the oracle may have missed, capped by its lag behind our count. */
function describeOracle(
  { event, counters, oracleUpdatedTs }: EventState,
  snapshot: AccountSnapshot,
): OracleState {
  const behind = Math.max(0, (counters.real ?? 0) - (counters.oracle ?? 0));
  const deleted = snapshot.recentPosts.filter(
    (post) => post.isCounted && post.deletedTs !== null && isInside(event.window, post.createdTs),
  ).length;
  return {
    ...(oracleUpdatedTs !== null && { asofTs: oracleUpdatedTs }),
    count: counters.oracle,
    deletedSinceLastCatchUp: counters.oracle === null ? 0 : Math.min(behind, deleted),
  };
}
