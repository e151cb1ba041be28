// Converts oracle payloads.

import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { OraclePost, OracleTracking, SkippedItem } from '../source.ts';
import { asRecord, readText } from '../wire-reader.ts';
import type { TrackingWire } from './wire.ts';
import { readOraclePost, readTracking } from './wire.ts';

export function parseTrackings(values: readonly unknown[]): {
  trackings: OracleTracking[];
  skipped: SkippedItem[];
} {
  const trackings: OracleTracking[] = [];
  const skipped: SkippedItem[] = [];
  for (const value of values) {
    const wire = readTracking(value);
    if (wire) trackings.push(toTracking(wire));
    else skipped.push({ what: nameOf(value), reason: 'id, window or sync time is missing or invalid' });
  }
  return { trackings, skipped };
}

export function parseTracking(value: unknown): OracleTracking | null {
  const wire = readTracking(value);
  return wire && toTracking(wire);
}

function toTracking(wire: TrackingWire): OracleTracking {
  return {
    trackingId: wire.id,
    title: wire.title,
    marketSlug: parseMarketSlug(wire.marketLink),
    window: { startTs: wire.startTs, endTs: roundUpEnd(wire.endTs) },
    count: wire.total,
    lastSyncTs: wire.lastSyncTs,
    syncError: wire.syncError,
    isActive: wire.isActive,
  };
}

/** The oracle writes end times as …:59:59 or …:59; the window itself ends on the hour. */
function roundUpEnd(endTs: number): number {
  const nextHourTs = Math.ceil(endTs / HOUR_MS) * HOUR_MS;
  return nextHourTs - endTs <= MINUTE_MS ? nextHourTs : endTs;
}

export function parseMarketSlug(link: string | null): string | null {
  const match = /\/event\/([a-z0-9_-]{1,200})(?:[/?#]|$)/i.exec(link ?? '');
  return match ? match[1]!.toLowerCase() : null;
}

/** Unusable posts are skipped and reported: if the oracle leads, each one is missing from the count. */
export function parseOraclePosts(
  values: readonly unknown[],
  onSkipped: (item: SkippedItem) => void = () => {},
): OraclePost[] {
  const posts = values.flatMap((value) => {
    const wire = readOraclePost(value);
    if (!wire) {
      onSkipped({
        what: 'an oracle post',
        reason: 'it has no usable id or time',
      });
      return [];
    }
    const { createdTs, importedTs } = wire;
    return [
      { postId: wire.platformId, createdTs, importedTs, text: wire.content, ...guessKind(wire.content) },
    ];
  });
  return posts.sort((left, right) => left.createdTs - right.createdTs);
}

/** The oracle gives no flags: a repost has a prefix, and a mention at the start may mean a reply. */
function guessKind(text: string | null): Pick<OraclePost, 'isRetweet' | 'mayBeReply'> {
  // A post without text may be of any kind.
  return {
    isRetweet: /^RT(?: @|: http)/.test(text ?? ''),
    mayBeReply: text === null || /^\s*@\w/.test(text),
  };
}

function nameOf(value: unknown): string {
  const title = readText(asRecord(value) ?? {}, 'title');
  return title ? `tracking '${title.slice(0, 100)}'` : 'a tracking';
}
