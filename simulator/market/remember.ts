// A bounded cache.

/** Evicts the oldest entries once the cache is full. */
export function remember<K, V>(cache: Map<K, V>, key: K, value: V, capacity: number): void {
  if (cache.size >= capacity) cache.delete(cache.keys().next().value!);
  cache.set(key, value);
}
