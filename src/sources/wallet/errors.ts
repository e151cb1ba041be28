// What a refusal of the data API means.

import { SourceError } from '../../runtime/errors.ts';

export function unexpectedShape(): SourceError {
  return new SourceError('wallet: the list of positions has an unexpected shape', { isRetryable: true });
}
