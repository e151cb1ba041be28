// A map that drops idle entries when full. It checks a few entries per insert, round-robin, so that the cost
// of an insert does not grow with the size.

export interface SweptMap<T> {
  get(name: string): T | undefined;
  set(name: string, value: T): void;
  /** Whether one more entry fits; if full, first checks the next few entries and drops idle ones. */
  makeRoom(): boolean;
  values(): Iterable<T>;
  readonly size: number;
}

const LOOKS_PER_NEWCOMER = 8;

export function createSweptMap<T>(most: number, isIdle: (value: T) => boolean): SweptMap<T> {
  const entries = new Map<string, T>();
  let hand = entries.entries();

  function lookAtNext(): void {
    const next = hand.next();
    if (next.done) hand = entries.entries();
    else if (isIdle(next.value[1])) entries.delete(next.value[0]);
  }

  return {
    get: (name) => entries.get(name),
    set: (name, value) => void entries.set(name, value),
    makeRoom() {
      for (let looks = 0; looks < LOOKS_PER_NEWCOMER && entries.size >= most; looks++) lookAtNext();
      return entries.size < most;
    },
    values: () => entries.values(),
    get size() {
      return entries.size;
    },
  };
}
