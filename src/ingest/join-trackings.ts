// Which oracle tracking belongs to which event. The link is believed first, then the window, with tolerance:
// the oracle ends its windows a second to a minute early.

import type { MarketEvent } from '../domain/market-event.ts';
import type { OracleTracking } from '../sources/source.ts';

const TOLERANCE_MS = 120_000;

export function findTracking(
  event: MarketEvent,
  trackings: readonly OracleTracking[],
): OracleTracking | undefined {
  const sameWindow = trackings.filter((tracking) => isSameWindow(event, tracking));
  return (
    sameWindow.find((tracking) => tracking.marketSlug === event.slug) ??
    sameWindow.find((tracking) => tracking.count !== null) ??
    sameWindow[0]
  );
}

/** A link to the event does not excuse another window: the count would be of other days. */
function isSameWindow(event: MarketEvent, tracking: OracleTracking): boolean {
  return (
    Math.abs(event.window.startTs - tracking.window.startTs) <= TOLERANCE_MS &&
    Math.abs(event.window.endTs - tracking.window.endTs) <= TOLERANCE_MS
  );
}
