// Meaning of refusals by the list.

import { SourceError } from '../../runtime/errors.ts';

export function unexpectedShape(what: string): SourceError {
  return new SourceError(`rollcall: ${what} has an unexpected shape`, { isRetryable: true });
}
