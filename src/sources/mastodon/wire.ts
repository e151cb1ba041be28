// Payloads we read from Mastodon-compatible servers.

import { asArray, asRecord, readName } from '../wire-reader.ts';

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
