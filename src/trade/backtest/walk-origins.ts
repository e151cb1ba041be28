// Times in past events at which to request advice.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { thinMoments } from './past-moments.ts';
import type { LadderSnapshot } from './price-file.ts';

export interface Origin {
  snapshot: LadderSnapshot;
  horizonH: number;
  eventId: number;
}

/** Older prices are not used for a horizon, because their forecast would have a different lead time. */
const STALE_MS = HOUR_MS;
/** Prices are often stamped a few seconds after the intended time. */
const LATE_MS = 10 * MINUTE_MS;

/** Prices valid at each horizon of events with a known final count, ordered by time. */
export function listOrigins(
  snapshots: readonly LadderSnapshot[],
  horizonsH: readonly number[] | null,
  lastPostTs: number,
): Origin[] {
  const events = Map.groupBy(snapshots, ({ window }) => `${window.startTs} ${window.endTs}`);
  const origins = [...events.values()].flatMap((ladders, index) => {
    const { startTs, endTs } = ladders[0]!.window;
    if (endTs > lastPostTs + DAY_MS) return [];
    const inside = ladders.filter(({ ts }) => ts >= startTs && ts < endTs);
    return horizonsH === null
      ? nameLeads(thinMoments(inside), index + 1)
      : pickStanding(inside, horizonsH, index + 1);
  });
  return origins.sort((a, b) => a.snapshot.ts - b.snapshot.ts);
}

function nameLeads(ladders: readonly LadderSnapshot[], eventId: number): Origin[] {
  return ladders.map((snapshot) => ({
    snapshot,
    horizonH: Math.round((snapshot.window.endTs - snapshot.ts) / HOUR_MS),
    eventId,
  }));
}

function pickStanding(
  ladders: readonly LadderSnapshot[],
  horizonsH: readonly number[],
  eventId: number,
): Origin[] {
  return horizonsH.flatMap((horizonH) => {
    const snapshot = ladders.findLast(({ ts, window }) => {
      const horizonTs = window.endTs - horizonH * HOUR_MS;
      return ts <= horizonTs + LATE_MS && ts >= horizonTs - STALE_MS;
    });
    return snapshot ? [{ snapshot, horizonH, eventId }] : [];
  });
}

/** Age of the prices at each requested lead, and the leads without prices. */
export function describePriceAges(
  snapshots: readonly LadderSnapshot[],
  horizonsH: readonly number[] | null,
  lastPostTs: number,
): string[] {
  const origins = listOrigins(snapshots, horizonsH, lastPostTs);
  return (horizonsH ?? []).flatMap((asked) => {
    const own = origins.filter(({ horizonH }) => horizonH === asked);
    if (own.length === 0) return [`${asked} h: no prices up to 1 h old; skipped`];
    const ages = own.map(({ snapshot }) => snapshot.window.endTs - asked * HOUR_MS - snapshot.ts);
    const oldestMin = Math.round(Math.max(...ages) / MINUTE_MS);
    return oldestMin > 0 ? [`${asked} h: prices up to ${oldestMin} min old`] : [];
  });
}

/** Why no ladder can be used, and what to do about it; null if some can. */
export function explainNoOrigins(
  snapshots: readonly LadderSnapshot[],
  horizonsH: readonly number[] | null,
  lastPostTs: number,
): string | null {
  if (listOrigins(snapshots, horizonsH, lastPostTs).length > 0) return null;
  if (snapshots.length === 0) return 'The price file has no prices.';
  const settled = listOrigins(snapshots, null, lastPostTs);
  if (settled.length === 0)
    return 'Every event in the price file ends after the last post. Pass a longer post history.';
  const leads = [...new Set(settled.map(({ horizonH }) => horizonH))].sort((a, b) => a - b);
  const shown = leads.length > 12 ? [...leads.slice(0, 12), '...'] : leads;
  const asked = horizonsH?.join(', ');
  return `No prices ${asked} h before an event ends, or up to 1 h earlier. The file has ${shown.join(', ')} h: pass --leads.`;
}
