// Results that hold for a short while: bounded in number, dropped when what they were made from is replaced.

export interface RecentResults<K, V> {
  /** Makes the value unless one for the same key and basis is young enough. */
  get(key: K, basis: unknown, nowTs: number, make: () => V): V;
  drop(key: K): void;
  clear(): void;
}

export function createRecentResults<K, V>(capacity: number, holdsMs: number): RecentResults<K, V> {
  const entries = new Map<K, { value: V; basis: unknown; madeTs: number }>();
  return {
    get(key, basis, nowTs, make) {
      const known = entries.get(key);
      const isFresh =
        known && known.basis === basis && nowTs >= known.madeTs && nowTs - known.madeTs < holdsMs;
      if (isFresh) return known.value;
      const value = make();
      entries.delete(key);
      if (entries.size >= capacity) entries.delete(entries.keys().next().value as K);
      entries.set(key, { value, basis, madeTs: nowTs });
      return value;
    },
    drop: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
