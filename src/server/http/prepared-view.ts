// A prepared body for one view of the board. It is rebuilt when its content changes, and at least once a
// second because it contains the time.

import { createRecentResults, type RecentResults } from '../../runtime/recent-results.ts';
import { type PreparedBody, prepareJson } from './prepared-body.ts';

export interface ViewSource<T> {
  /** Compared by identity; changes whenever the content may have changed. */
  version(): unknown;
  present(nowTs: number): T;
  /** When the content next changes with time alone. */
  boundaryTs?(nowTs: number): number;
}

const REUSE_MS = 1_000;

export function createPreparedView<T>(source: ViewSource<T>): (nowTs: number) => PreparedBody<T> {
  return createReused({ ...source, present: (nowTs) => prepareJson(source.present(nowTs)) });
}

/** Presents once per second and version; later callers get the same result. */
export function createReused<T>(source: ViewSource<T>): (nowTs: number) => T {
  let last: { presented: T; version: unknown; fromTs: number; untilTs: number } | null = null;

  return (nowTs) => {
    const version = source.version();
    if (last === null || version !== last.version || nowTs >= last.untilTs || nowTs < last.fromTs) {
      const untilTs = Math.min(nowTs + REUSE_MS, source.boundaryTs?.(nowTs) ?? Infinity);
      last = { presented: source.present(nowTs), version, fromTs: nowTs, untilTs };
    }
    return last.presented;
  };
}

// Caches prepared bodies for responses that depend on parameters: the same request within a second, with
// unchanged content, gets the same bytes.

export interface PreparedViews<T> {
  /** Returns the cached body if it is still valid. */
  find: RecentResults<string, PreparedBody<T>>['find'];
  /** `version` lists the objects the content is built from, compared by identity. */
  get(key: string, version: readonly unknown[], nowTs: number, present: () => T): PreparedBody<T>;
}

const MAX_KEPT = 200;

export function createPreparedViews<T>(): PreparedViews<T> {
  const bodies = createRecentResults<string, PreparedBody<T>>(MAX_KEPT, REUSE_MS);
  return {
    find: bodies.find,
    get: (key, version, nowTs, present) => bodies.get(key, version, nowTs, () => prepareJson(present())),
  };
}
