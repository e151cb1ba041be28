// A walk through pages that never goes round: a cursor that comes again would be followed, and often paid for, for ever.

import { SourceError } from '../runtime/errors.ts';

/** Hands the next page's cursor on; throws where it was given before. One walk, one function. */
export function createPageWalk(name: string): (cursor: string | null) => string | null {
  const seen = new Set<string>();
  return (cursor) => {
    if (cursor !== null && seen.has(cursor))
      throw new SourceError(`${name}: its pages lead back to one already read`, { isRetryable: true });
    if (cursor !== null) seen.add(cursor);
    return cursor;
  };
}
