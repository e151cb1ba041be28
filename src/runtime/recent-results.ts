// Caches short-lived results: limited in number, and invalid once their basis is replaced. Expired results
// are dropped on the next insert, because they keep their inputs in memory.

export interface RecentResults<K, V> {
  /** Computes the value unless a recent one exists for the same key and basis. */
  get(key: K, basis: unknown, nowTs: number, make: () => V): V;
  drop(key: K): void;
  clear(): void;
}

export function createRecentResults<K, V>(capacity: number, holdsMs: number): RecentResults<K, V> {
  /** Oldest first. */
  const entries = new Map<K, { value: V; basis: unknown; madeTs: number }>();
  const isYoung = ({ madeTs }: { madeTs: number }, nowTs: number) =>
    nowTs >= madeTs && nowTs - madeTs < holdsMs;

  function makeRoom(nowTs: number): void {
    for (const [key, entry] of entries) {
      if (entries.size < capacity && isYoung(entry, nowTs)) return;
      entries.delete(key);
    }
  }

  return {
    get(key, basis, nowTs, make) {
      const known = entries.get(key);
      if (known && known.basis === basis && isYoung(known, nowTs)) return known.value;
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
