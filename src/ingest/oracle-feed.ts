// The settlement oracle's counts, of running events and of those that ended within the last week.

import { DAY_MS } from '../domain/units.ts';
import type { PollLoop } from '../runtime/poll-loop.ts';
import { FEEDS } from '../sources/feeds.ts';
import type { OracleSource, OracleTracking } from '../sources/source.ts';
import type { EventStore } from '../store/ports.ts';
import type { AccountRecorder } from './account-recorder.ts';
import { createCountGates } from './count-gates.ts';
import { createFeedLoop, type IngestTools } from './feed-loop.ts';
import { readTrackings } from './oracle-readings.ts';

export interface OracleFeedOptions extends IngestTools {
  source: OracleSource;
  recorder: AccountRecorder;
  events: EventStore;
  onTrackings: (trackings: readonly OracleTracking[]) => void;
}

/** How long late back-fills of an ended event are followed. */
export const BACKFILL_DAYS = 7;

export function createOracleFeed(options: OracleFeedOptions): PollLoop {
  const { source, recorder, clock } = options;
  const gates = createCountGates(FEEDS.oracle.bounds!, (eventId) => shownCount(recorder, eventId));

  return createFeedLoop({
    ...options,
    feed: 'oracle',
    shownAs: ['oracle'],
    async runOnce(signal) {
      const endedSinceTs = clock.now() - BACKFILL_DAYS * DAY_MS;
      const { trackings, skipped } = await source.fetchTrackings(endedSinceTs, signal);
      options.onTrackings(trackings);
      const events = await options.events.list(recorder.account.accountId, endedSinceTs);
      const observed = readTrackings(events, trackings);
      const { readings, problem } = gates.judge(observed.readings, clock.now());
      await recorder.readCounts('oracle', readings);
      return problem ?? observed.problem ?? skipped[0]?.reason ?? null;
    },
  });
}

function shownCount(recorder: AccountRecorder, eventId: number): number | null {
  return recorder.snapshot().events.find((state) => state.event.eventId === eventId)?.counters.oracle ?? null;
}
