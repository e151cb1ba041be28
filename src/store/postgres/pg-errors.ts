// Maps PostgreSQL and socket errors to a reason and whether to retry.

import { errorMessage, StoreError } from '../../runtime/errors.ts';

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);

/** The driver sets no code for these errors. */
const CONNECTION_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Client was closed/i;

/** SQLSTATE prefixes, most specific first. */
const RETRYABLE_STATES: readonly [prefix: string, reason: string][] = [
  ['53100', 'the disk is full'],
  ['53300', 'the server has no free connections'],
  ['53', 'the server is low on resources'],
  ['57P', 'the server is shutting down'],
  ['57014', 'the statement took too long'],
  ['08', 'the connection to the server was lost'],
  ['25006', 'the server is read-only'],
  ['25P03', 'the transaction was idle for too long'],
  ['40', 'the transaction conflicted with another'],
  ['55P03', 'a lock is held'],
  ['58030', 'the disk cannot be read or written'],
];

/** The connection is lost or closing; another one may work. */
export function isConnectionTrouble(error: unknown): boolean {
  const code = findCode(error);
  if (SOCKET_CODES.has(code) || /^(57P|08|25P03)/.test(code)) return true;
  return CONNECTION_MESSAGES.test(errorMessage(error));
}

export function isCollision(error: unknown): boolean {
  return findCode(error).startsWith('40');
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const reason = findReason(error);
  const message = reason ? `${reason} (${describe(error)})` : describe(error);
  return new StoreError(`store: ${message}`, { isRetryable: reason !== undefined, cause: error });
}

function findReason(error: unknown): string | undefined {
  const code = findCode(error);
  const known = RETRYABLE_STATES.find(([prefix]) => code.startsWith(prefix));
  if (known) return known[1];
  return isConnectionTrouble(error) ? 'the server cannot be reached' : undefined;
}

/** If a host name has several addresses, a refused connection has an empty message. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorMessage).join('; ');
  return errorMessage(error);
}

function findCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
