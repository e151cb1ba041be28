// A snapshot as text and back, field by field: most fields stay as they were from one version to the next, and neither are
// those written out again nor read again, so that what a replica made from them still holds. The text is plain JSON.

import type { AccountSnapshot } from './snapshot.ts';

/** No text within a field holds it: JSON writes a line break as \n. */
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

/** Of one account. Also reads what was written in one piece. */
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
