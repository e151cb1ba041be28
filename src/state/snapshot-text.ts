// Serialises a snapshot field by field. Most fields do not change between versions, so they are not
// serialised or parsed again, and a replica's caches built on them stay valid. The text is plain JSON.

import type { AccountSnapshot } from './snapshot.ts';

/** Cannot occur inside a field, because JSON writes a line break as \n. */
const BETWEEN_FIELDS = ',\n';

export function createSnapshotWriter(): (snapshot: AccountSnapshot) => string {
  const written = new WeakMap<object, string>();

  function write(value: unknown): string | undefined {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    let text = written.get(value);
    if (text === undefined) {
      text = JSON.stringify(value);
      written.set(value, text);
    }
    return text;
  }

  return (snapshot) => {
    const fields = Object.entries(snapshot).flatMap(([name, value]) => {
      const text = write(value);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    });
    return `{${fields.join(BETWEEN_FIELDS)}}`;
  };
}

/** Creates a parser for one account. It also accepts the older format without separate fields. */
export function createSnapshotReader(): (text: string) => AccountSnapshot {
  let known = new Map<string, object>();

  return (text) => {
    const next = new Map<string, object>();
    const snapshot = {};
    for (const field of text.slice(1, -1).split(BETWEEN_FIELDS)) {
      const part = known.get(field) ?? (JSON.parse(`{${field}}`) as object);
      next.set(field, part);
      Object.assign(snapshot, part);
    }
    known = next;
    return snapshot as AccountSnapshot;
  };
}
