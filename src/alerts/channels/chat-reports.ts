// Formats the replies to /status and /signals. Pure.

import { isStale, nameFeed } from '../../domain/feed.ts';
import { listActive } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type { EventSignals } from '../../trade/types.ts';

export function writeStatus(name: string, snapshot: AccountSnapshot | undefined, nowTs: number): string {
  if (!snapshot) return `${name}: no data yet.`;
  const active = listActive(snapshot, nowTs);
  const stale = snapshot.feeds.filter((feed) => isStale(feed, nowTs)).map(nameFeed);
  return [
    stale.length > 0 ? `${name}: stale feeds: ${stale.join(', ')}.` : `${name}: all feeds are up to date.`,
    ...active.map((state) => writeEvent(state, nowTs)),
    ...(active.length === 0 ? ['No open events.'] : []),
  ].join('\n');
}

function writeEvent({ event, counters, forecast }: EventState, nowTs: number): string {
  const parts = [
    `own count ${counters.real ?? 'unknown'}`,
    `oracle ${counters.oracle ?? 'unknown'}`,
    forecast ? `forecast ${forecast.p50} (${forecast.p5} to ${forecast.p95})` : 'no forecast yet',
    `${writeLength(event.window.endTs - nowTs)} left`,
  ];
  return `- ${event.title}: ${parts.join(', ')}.`;
}

/** Lists actionable advice; events without any are summarised. */
export function writeSignals(
  name: string,
  elements: readonly EventSignals[],
  titleOf: (eventId: number) => string,
): string {
  const lines = elements.flatMap(({ eventId, signals }) =>
    signals
      .filter(({ verdict }) => verdict.kind !== 'nothing')
      .map(({ verdict }) => `- ${verdict.sentence}\n  ${titleOf(eventId)}`),
  );
  if (lines.length === 0) return `${name}: no trades.`;
  return [`${name}:`, ...lines].join('\n');
}

function writeLength(ms: number): string {
  if (ms < 2 * HOUR_MS) return `${Math.max(0, Math.round(ms / MINUTE_MS))} min`;
  return ms < 3 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} d`;
}
