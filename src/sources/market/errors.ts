// Interprets error responses from the market's APIs.

import { SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../wire-reader.ts';

/** The token has no book yet, or no longer has one. */
export function hasNoBook(error: unknown): boolean {
  return error instanceof SourceError && error.status === 404 && !error.isRetryable;
}

/** The list does not exist. */
export function isNotOffered(error: unknown): boolean {
  return error instanceof SourceError && [404, 405, 410].includes(error.status ?? 0) && !error.isRetryable;
}

/** The service does not offer it, or only with a credential. */
export function isNotGranted(error: unknown): boolean {
  const isRefused = error instanceof SourceError && (error.status === 401 || error.status === 403);
  return isNotOffered(error) || (isRefused && !error.isHtml);
}

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`market: ${what} has an unexpected shape`);
}
