// What can go wrong with crypto markets: the listing's errors are the market's own (../market/errors.ts).

import { SourceError } from '../../runtime/errors.ts';

export function noneListed(failures: readonly string[]): SourceError {
  return new SourceError(`crypto: no series could be read (${failures.join('; ')})`, { isRetryable: true });
}
