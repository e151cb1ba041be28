// Interprets the venue's error responses.

import { SourceError } from '../../runtime/errors.ts';

export function unexpectedShape(what: string): SourceError {
  return new SourceError(`kalshi: ${what} has an unexpected shape`, { isRetryable: true });
}

/** Not in the venue's lists: unknown, or archived after about eleven weeks. */
export function isGone(error: unknown): boolean {
  return error instanceof SourceError && error.status === 404 && !error.isRetryable;
}

/** A wrong key, a wrong clock or a signature over the wrong text: only the operator can fix it. */
export function isUnauthorised(error: unknown): boolean {
  return error instanceof SourceError && error.status === 401;
}

/** Why a signed request was refused, and what to do. */
export function explainRefusal(error: SourceError): SourceError {
  const advice = error.message.includes('header_timestamp_expired')
    ? "this machine's clock is wrong; sync it with NTP"
    : 'check KALSHI_KEY_ID and KALSHI_PRIVATE_KEY_FILE';
  return new SourceError(`${error.message}; ${advice}`, {
    isRetryable: false,
    needsOperator: true,
    status: error.status,
  });
}
