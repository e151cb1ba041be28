// Matches the oracle's trackings to market events.

import { isSameWindow } from '../domain/count-window.ts';
import type { CountWindow } from '../domain/market-event.ts';
import type { OracleTracking } from './source.ts';

/** Uses the oracle's own link; without one, matches windows within the tolerance. */
export function findTracking(
  event: { slug: string; window: CountWindow | null },
  trackings: readonly OracleTracking[],
): OracleTracking | null {
  const linked = trackings.filter((tracking) => tracking.marketSlug === event.slug.toLowerCase());
  const { window } = event;
  const candidates =
    linked.length > 0 ? linked : trackings.filter((tracking) => tracking.marketSlug === null);
  const matching = window ? candidates.filter((tracking) => isSameWindow(tracking.window, window)) : [];
  return matching[0] ?? linked[0] ?? findByWindow(window, trackings);
}

/** The link to a renamed event is broken, but its window still identifies it if exactly one event matches. */
function findByWindow(
  window: CountWindow | null,
  trackings: readonly OracleTracking[],
): OracleTracking | null {
  if (!window) return null;
  const matching = trackings.filter((tracking) => isSameWindow(tracking.window, window));
  return matching.length === 1 ? matching[0]! : null;
}
