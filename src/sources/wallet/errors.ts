// What a refusal of the data service means.

import { SourceError } from '../../runtime/errors.ts';

export function unexpectedShape(what: string): SourceError {
  return new SourceError(`wallet: the list of positions cannot be read whole: ${what}`, {
    isRetryable: true,
  });
}
