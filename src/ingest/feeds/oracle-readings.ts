// The oracle's count for each event. Ignores a tracking with another window, even if it links to the event.

import { isSameWindow } from '../../domain/count-window.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { findTracking } from '../../sources/join-trackings.ts';
import type { OracleTracking } from '../../sources/source.ts';
import type { CountReading } from '../../state/observation.ts';

export interface OracleReadings {
  readings: CountReading[];
  /** Describes events for which the oracle tracks another window; null if there are none. */
  problem: string | null;
}

export function readTrackings(
  events: readonly MarketEvent[],
  trackings: readonly OracleTracking[],
): OracleReadings {
  const result: OracleReadings = { readings: [], problem: null };
  // Contracts of additional venues settle on lists of those venues.
  for (const event of events.filter(({ terms }) => !terms)) {
    const tracking = findTracking(event, trackings);
    if (!tracking || tracking.count === null) continue;
    if (isSameWindow(tracking.window, event.window))
      result.readings.push({ eventId: event.eventId, count: tracking.count });
    else result.problem = `event ${event.eventId}: the oracle tracks another window`;
  }
  return result;
}
