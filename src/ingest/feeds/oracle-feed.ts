// The settlement oracle's counts for running events and those that ended within the last week. The feed is as
// old as the oracle's last sync: the oracle has stalled for days while still responding to every call.

import { isSameWindow } from '../../domain/count-window.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/units.ts';
import type { PollLoop } from '../../runtime/poll-loop.ts';
import { FEEDS } from '../../sources/feeds.ts';
import { findTracking } from '../../sources/join-trackings.ts';
import type { OracleSource, OracleTracking } from '../../sources/source.ts';
import type { CountReading, EventState } from '../../state/snapshot.ts';
import type { EventStore } from '../../store/ports.ts';
import { type AccountRecorder, reportProblem } from '../recorder/account-recorder.ts';
import { createCountGates } from './count-gates.ts';
import { createFeedLoop, type IngestTools } from './feed-loop.ts';

export interface OracleFeedOptions extends IngestTools {
  source: OracleSource;
  recorder: AccountRecorder;
  events: EventStore;
  onTrackings: (trackings: readonly OracleTracking[]) => void;
}

/** How long to follow late corrections of an ended event. */
export const BACKFILL_DAYS = 7;
/**
 * Longer than any gap repair takes. After this, either we are missing posts or the counting rules differ.
 */
const AHEAD_FOR_LONG_MS = 90 * MINUTE_MS;

export function createOracleFeed(options: OracleFeedOptions): PollLoop {
  const { source, recorder, clock } = options;
  const gates = createCountGates(FEEDS.oracle.bounds!, 'oracle', recorder.snapshot);
  const aheadSinceTs = new Map<number, number>();

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
      await recorder.readCounts('oracle', readings, source.lastSyncTs());
      await reportAhead();
      return {
        problem: problem ?? observed.problem ?? skipped[0]?.reason ?? null,
        alarm: describeSyncError(source.syncError()),
        asofTs: Math.min(clock.now(), source.lastSyncTs() ?? Number.POSITIVE_INFINITY),
      };
    },
  });

  async function reportAhead(): Promise<void> {
    const nowTs = clock.now();
    // During a backfill our count is behind, which is already reported.
    const { events, isPastMissing } = recorder.snapshot();
    const ahead = isPastMissing ? [] : events.filter(isOracleAhead);
    for (const eventId of [...aheadSinceTs.keys()])
      if (!ahead.some(({ event }) => event.eventId === eventId)) aheadSinceTs.delete(eventId);
    for (const { event } of ahead)
      if (!aheadSinceTs.has(event.eventId)) aheadSinceTs.set(event.eventId, nowTs);
    const long = ahead.find(({ event }) => nowTs - aheadSinceTs.get(event.eventId)! >= AHEAD_FOR_LONG_MS);
    const text = long ? describeAhead(long) : null;
    await reportProblem(recorder, 'oracle ahead', text);
  }
}

/** The oracle still answers, but its counts may lack posts until it syncs again. */
function describeSyncError(error: string | null): string | null {
  return error && `the oracle reports that its last sync failed (${error}): its counts may lack posts`;
}

/** True if the oracle's count exceeds ours even when every doubtful post counts. */
function isOracleAhead({ counters, doubt }: EventState): boolean {
  if (counters.oracle === null || counters.real === null) return false;
  return counters.oracle > counters.real + (doubt?.uncounted ?? 0);
}

function describeAhead({ event, counters }: EventState): string {
  return (
    `the oracle has been ${counters.oracle! - counters.real!} posts ahead of us in event ${event.eventId} for over ` +
    `${AHEAD_FOR_LONG_MS / MINUTE_MS} minutes: we are missing posts, or our counting rule differs from the oracle's`
  );
}

interface OracleReadings {
  readings: CountReading[];
  /** Describes events for which the oracle tracks a different window; null if there are none. */
  problem: string | null;
}

/** The oracle's count for each event. Ignores trackings with a different window, even if linked to the event. */
export function readTrackings(
  events: readonly MarketEvent[],
  trackings: readonly OracleTracking[],
): OracleReadings {
  const result: OracleReadings = { readings: [], problem: null };
  // Contracts on additional venues settle on those venues' own lists.
  for (const event of events.filter(({ terms }) => !terms)) {
    const tracking = findTracking(event, trackings);
    if (!tracking || tracking.count === null) continue;
    if (isSameWindow(tracking.window, event.window))
      result.readings.push({ eventId: event.eventId, count: tracking.count });
    else result.problem = `event ${event.eventId}: the oracle tracks a different window`;
  }
  return result;
}
