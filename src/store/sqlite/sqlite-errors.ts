// Maps SQLite result codes to a reason and whether to retry.

import { errorMessage, StoreError } from '../../runtime/errors.ts';

const PRIMARY_CODE_MASK = 0xff;

const RETRYABLE: Readonly<Record<number, string>> = {
  5: 'the database is locked by another process',
  6: 'the database is locked',
  7: 'out of memory',
  8: 'the database is read-only',
  10: 'the disk cannot be read or written',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
};

/** Failures of the engine, not of one request: the whole transaction is lost. */
export function isEngineTrouble(error: unknown): boolean {
  const code = findPrimaryCode(error);
  return code !== null && code in RETRYABLE;
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = findPrimaryCode(error);
  const reason = code === null ? undefined : RETRYABLE[code];
  const message = reason ? `${reason} (${errorMessage(error)})` : errorMessage(error);
  return new StoreError(`store: ${message}`, { isRetryable: reason !== undefined, cause: error });
}

function findPrimaryCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & PRIMARY_CODE_MASK : null;
}
