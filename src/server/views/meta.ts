// Counters for every active event.

import { listActive } from '../../domain/market-event.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import { presentCounters, presentDeltas, presentFeeds, presentTerms } from './events.ts';

export function presentMeta(snapshot: AccountSnapshot | undefined, nowTs: number) {
  return {
    timestamp: nowTs,
    data: listActive(snapshot, nowTs).map((state) => presentMetaRecord(snapshot!, state, nowTs)),
  };
}

export function presentMetaRecord(snapshot: AccountSnapshot, state: EventState, nowTs: number) {
  return {
    event_id: state.event.eventId,
    event_title: state.event.title,
    image: state.event.image,
    start_ts: state.event.window.startTs,
    end_ts: state.event.window.endTs,
    ...presentCounters(state, snapshot.isPastMissing),
    ...presentDeltas(state),
    feeds: presentFeeds(snapshot, state, nowTs),
    ...presentTerms(snapshot, state.event),
  };
}
