// Caches short-lived results: limited in number, and invalid once their basis is replaced. Expired results
// are dropped on the next insert, because they keep their inputs in memory.

export interface RecentResults<K, V> {
  /** The cached value, if it is recent and has the same basis. */
  find(key: K, basis: unknown, nowTs: number): V | undefined;
  /** Computes the value unless a recent one exists for the same key and basis. */
  get(key: K, basis: unknown, nowTs: number, make: () => V): V;
  drop(key: K): void;
  clear(): void;
}

interface Entry<V> {
  value: V;
  basis: unknown;
  madeTs: number;
}

/** A basis is compared by identity, a list item by item. */
export function createRecentResults<K, V>(capacity: number, holdsMs: number): RecentResults<K, V> {
  /** Oldest first. */
  const entries = new Map<K, Entry<V>>();
  const isYoung = ({ madeTs }: Entry<V>, nowTs: number) => nowTs >= madeTs && nowTs - madeTs < holdsMs;

  function makeRoom(nowTs: number): void {
    for (const [key, entry] of entries) {
      if (entries.size < capacity && isYoung(entry, nowTs)) return;
      entries.delete(key);
    }
  }

  function findEntry(key: K, basis: unknown, nowTs: number): Entry<V> | undefined {
    const known = entries.get(key);
    return known && isYoung(known, nowTs) && isSame(known.basis, basis) ? known : undefined;
  }

  return {
    find: (key, basis, nowTs) => findEntry(key, basis, nowTs)?.value,
    get(key, basis, nowTs, make) {
      const known = findEntry(key, basis, nowTs);
      if (known) return known.value;
      const value = make();
      entries.delete(key);
      makeRoom(nowTs);
      entries.set(key, { value, basis, madeTs: nowTs });
      return value;
    },
    drop: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((part, i) => part === b[i]);
}
