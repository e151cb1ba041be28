// The oracle's count for each event. Ignores trackings with a different window, even if linked to the event.

import { isSameWindow } from '../../domain/count-window.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { findTracking } from '../../sources/join-trackings.ts';
import type { OracleTracking } from '../../sources/source.ts';
import type { CountReading } from '../../state/observation.ts';

export interface OracleReadings {
  readings: CountReading[];
  /** Describes events for which the oracle tracks a different window; null if there are none. */
  problem: string | null;
}

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
