// Caches prepared bodies for responses that depend on parameters: the same request within a second, with
// unchanged content, gets the same bytes.

import { createRecentResults, type RecentResults } from '../../runtime/recent-results.ts';
import { type PreparedBody, prepareJson } from './prepared-body.ts';

export interface PreparedViews<T> {
  /** Returns the cached body if it is still valid. */
  find: RecentResults<string, PreparedBody<T>>['find'];
  /** `version` lists the objects the content is built from, compared by identity. */
  get(key: string, version: readonly unknown[], nowTs: number, present: () => T): PreparedBody<T>;
}

const REUSE_MS = 1_000;
const MAX_KEPT = 200;

export function createPreparedViews<T>(): PreparedViews<T> {
  const bodies = createRecentResults<string, PreparedBody<T>>(MAX_KEPT, REUSE_MS);
  return {
    find: bodies.find,
    get: (key, version, nowTs, present) => bodies.get(key, version, nowTs, () => prepareJson(present())),
  };
}
