// Payloads we read from Mastodon-compatible servers.

import { SourceError } from '../../runtime/errors.ts';
import { asArray, asRecord, readName, ShapeError } from '../wire-reader.ts';

/** null if the response is not a list of statuses. */
export function readStatusList(answer: unknown): readonly unknown[] | null {
  return asArray(answer);
}

export function readAccountId(answer: unknown): string | null {
  const record = asRecord(answer);
  return record && readName(record, 'id');
}

export function readStatusId(status: unknown): string | null {
  const record = asRecord(status);
  return record && readName(record, 'id');
}

/** Truth Social keeps a removed status as one that only says so: `tombstone: { reason }`. */
export function isTombstone(status: unknown): boolean {
  return (asRecord(status)?.tombstone ?? null) !== null;
}

/** A JSON response comes from the server itself; HTML with the same status comes from a proxy. */
export function isGone(error: unknown): boolean {
  return error instanceof SourceError && !error.isRetryable && (error.status === 404 || error.status === 410);
}

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`mastodon: ${what} has an unexpected shape`);
}
