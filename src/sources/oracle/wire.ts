// Payloads we read from the settlement oracle: {success, data, message}; one legacy form has no envelope.

import { isStatusId } from '../status-id.ts';
import type { WireRecord } from '../wire-reader.ts';
import { asRecord, readCount, readFlag, readName, readText, readTs } from '../wire-reader.ts';

const MAX_ERROR_LENGTH = 200;

export type TrackingWire = NonNullable<ReturnType<typeof readTracking>>;

/** The content of the envelope; undefined if the oracle reports a failure. */
export function readEnvelope(answer: unknown): unknown {
  const record = asRecord(answer);
  if (!record) return Array.isArray(answer) ? answer : undefined;
  return record.success === false ? undefined : record.data;
}

export function readEnvelopeMessage(answer: unknown): string | null {
  const record = asRecord(answer);
  return record && (readName(record, 'message') ?? readName(record, 'error'));
}

/** null if id, title or window is missing. */
export function readTracking(value: unknown) {
  const record = asRecord(value);
  if (!record) return null;
  const id = readName(record, 'id');
  const startTs = readTs(record, 'startDate');
  const endTs = readTs(record, 'endDate');
  if (!id || startTs === null || endTs === null || endTs <= startTs) return null;
  const user = asRecord(record.user);
  // If we ignored an unreadable sync time, a stalled oracle would look fresh.
  if (user && isGiven(user.lastSync) && readTs(user, 'lastSync') === null) return null;
  return {
    id,
    title: (readText(record, 'title') ?? '').trim(),
    startTs,
    endTs,
    marketLink: readName(record, 'marketLink'),
    isActive: readFlag(record, 'isActive') ?? true,
    total: readTotal(asRecord(record.stats)),
    lastSyncTs: user && readTs(user, 'lastSync'),
    syncError: user && readSyncError(user.lastSyncError),
  };
}

/** Why the oracle's last sync failed, in its own words; null if it succeeded. */
function readSyncError(value: unknown): string | null {
  if (!isGiven(value) || value === '' || value === false) return null;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_ERROR_LENGTH);
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function readTotal(stats: WireRecord | null): number | null {
  return stats && (readCount(stats, 'total') ?? readCount(stats, 'cumulative'));
}

export function readOraclePost(value: unknown) {
  const record = asRecord(value);
  const platformId = record && readName(record, 'platformId');
  const createdTs = record && readTs(record, 'createdAt');
  if (!record || !platformId || !isStatusId(platformId) || createdTs === null) return null;
  return {
    platformId,
    content: readText(record, 'content'),
    createdTs,
    importedTs: readTs(record, 'importedAt'),
  };
}
