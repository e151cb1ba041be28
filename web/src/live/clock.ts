// Ticks once a second for countdowns and ages, aligned to the second; idle in a hidden tab.

import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let nowTs = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;

function tick(): void {
  nowTs = Date.now();
  for (const listener of listeners) listener();
  timer = setTimeout(tick, 1000 - (nowTs % 1000) + 5);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) tick();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

/** This machine's time, updated on every tick. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowTs);
}
