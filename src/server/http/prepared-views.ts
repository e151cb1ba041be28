// Answers that depend on what was asked, as ready bodies: whoever asks the same within a second, while nothing that is
// shown has changed, is sent the same bytes. Old ones are let go, because they hold on to what they were made from.

import { type PreparedBody, prepareJson } from './prepared-body.ts';

export interface PreparedViews {
  /** What was made already, where it still holds. */
  find(key: string, version: readonly unknown[], nowTs: number): PreparedBody | undefined;
  /** `version`: all that the content is made from, compared by identity. */
  get(key: string, version: readonly unknown[], nowTs: number, present: () => unknown): PreparedBody;
}

interface Entry {
  version: readonly unknown[];
  madeTs: number;
  body: PreparedBody;
}

const REUSE_MS = 1_000;
const MOST_KEPT = 200;

export function createPreparedViews(): PreparedViews {
  /** Oldest first. */
  const entries = new Map<string, Entry>();

  function forgetOld(nowTs: number): void {
    for (const [key, entry] of entries) {
      if (isYoung(entry, nowTs) && entries.size < MOST_KEPT) return;
      entries.delete(key);
    }
  }

  function find(key: string, version: readonly unknown[], nowTs: number): PreparedBody | undefined {
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

/** A clock that was set back makes nothing young. */
function isYoung({ madeTs }: Entry, nowTs: number): boolean {
  return nowTs >= madeTs && nowTs - madeTs < REUSE_MS;
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}
