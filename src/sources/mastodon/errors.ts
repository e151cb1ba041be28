// Interprets error responses from a Mastodon-compatible server.

import { SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../shape-error.ts';

/** A JSON response comes from the server itself; HTML with the same status comes from a proxy. */
export function isGone(error: unknown): boolean {
  return error instanceof SourceError && !error.isRetryable && (error.status === 404 || error.status === 410);
}

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`mastodon: ${what} has an unexpected shape`);
}
