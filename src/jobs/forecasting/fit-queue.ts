// Queue for fitting account histories (about 0.1 CPU seconds each): one per thread at a time, busiest account
// first. An account's forecast is requested as soon as its fit is done.

import type { AccountSnapshot } from '../../state/snapshot.ts';

export interface FitQueue {
  /** Runs the work when a slot is free, highest `urgency` first. */
  enter<T>(urgency: number, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  urgency: number;
  begin: () => void;
}

export function createFitQueue(limit: number): FitQueue {
  const waiting: Waiting[] = [];
  let running = 0;

  function beginNext(): void {
    while (running < limit && waiting.length > 0) {
      const most = waiting.reduce((best, one, i) => (one.urgency > waiting[best]!.urgency ? i : best), 0);
      running += 1;
      waiting.splice(most, 1)[0]!.begin();
    }
  }

  return {
    async enter(urgency, work) {
      const slot = Promise.withResolvers<void>();
      waiting.push({ urgency, begin: slot.resolve });
      // Waits for the current event-loop tick, so that requests queued together are ranked by urgency.
      queueMicrotask(beginNext);
      await slot.promise;
      try {
        return await work();
      } finally {
        running -= 1;
        beginNext();
      }
    },
  };
}

/** Posts per millisecond over the loaded recent posts. */
export function busynessOf({ recentPosts }: Pick<AccountSnapshot, 'recentPosts'>): number {
  const [newest, oldest] = [recentPosts[0], recentPosts.at(-1)];
  if (!newest || !oldest) return 0;
  return recentPosts.length / (newest.createdTs - oldest.createdTs + 1);
}
