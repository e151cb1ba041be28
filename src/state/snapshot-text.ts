// Serialises a snapshot field by field. Most fields do not change between versions, so they are not serialised
// again. The text is plain JSON.

import type { AccountSnapshot } from './snapshot.ts';

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
    return `{${fields.join()}}`;
  };
}
