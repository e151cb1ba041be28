// Caches prepared bodies for responses that depend on parameters: the same request within a second, with
// unchanged content, gets the same bytes. Old entries are dropped, because they retain the data they were
// built from.

import { type PreparedBody, prepareJson } from './prepared-body.ts';

export interface PreparedViews<T> {
  /** Returns the cached body if it is still valid. */
  find(key: string, version: readonly unknown[], nowTs: number): PreparedBody<T> | undefined;
  /** `version` lists the objects the content is built from, compared by identity. */
  get(key: string, version: readonly unknown[], nowTs: number, present: () => T): PreparedBody<T>;
}

interface Entry<T> {
  version: readonly unknown[];
  madeTs: number;
  body: PreparedBody<T>;
}

const REUSE_MS = 1_000;
const MOST_KEPT = 200;

export function createPreparedViews<T>(): PreparedViews<T> {
  /** Oldest first. */
  const entries = new Map<string, Entry<T>>();

  function forgetOld(nowTs: number): void {
    for (const [key, entry] of entries) {
      if (isYoung(entry, nowTs) && entries.size < MOST_KEPT) return;
      entries.delete(key);
    }
  }

  function find(key: string, version: readonly unknown[], nowTs: number): PreparedBody<T> | undefined {
    const known = entries.get(key);
    return known && isYoung(known, nowTs) && isSame(known.version, version) ? known.body : undefined;
  }

  return {
    find,
    get(key, version, nowTs, present) {
      const known = find(key, version, nowTs);
      if (known) return known;
      entries.delete(key);
      forgetOld(nowTs);
      const body = prepareJson(present());
      entries.set(key, { version, madeTs: nowTs, body });
      return body;
    },
  };
}

/** If the clock moved back, entries must not look fresh. */
function isYoung({ madeTs }: Entry<unknown>, nowTs: number): boolean {
  return nowTs >= madeTs && nowTs - madeTs < REUSE_MS;
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}
