// Detects paging loops: a repeated cursor would be followed forever, and often paid for.

import { SourceError } from '../runtime/errors.ts';

/** Returns the next page's cursor; throws if it was used before. Create one function per walk. */
export function createPageWalk(name: string): (cursor: string | null) => string | null {
  const seen = new Set<string>();
  return (cursor) => {
    if (cursor !== null && seen.has(cursor))
      throw new SourceError(`${name}: its pages repeat`, { isRetryable: true });
    if (cursor !== null) seen.add(cursor);
    return cursor;
  };
}
