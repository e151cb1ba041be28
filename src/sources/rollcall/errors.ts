// Interprets error responses from Roll Call.

import { SourceError } from '../../runtime/errors.ts';

export function unexpectedShape(what: string): SourceError {
  return new SourceError(`rollcall: ${what} has an unexpected shape`, { isRetryable: true });
}
