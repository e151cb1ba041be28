// Queue for fitting account histories (a tenth of a core-second each): as many at once as there are threads,
// busiest account first. A forecast is requested as soon as its account is fitted.

import type { AccountSnapshot } from '../../state/snapshot.ts';

export interface LoadLine {
  /** Runs the work when a slot is free, highest `urgency` first. */
  enter<T>(urgency: number, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  urgency: number;
  begin: () => void;
}

export function createLoadLine(atOnce: number): LoadLine {
  const waiting: Waiting[] = [];
  let atWork = 0;

  function beginNext(): void {
    while (atWork < atOnce && waiting.length > 0) {
      const most = waiting.reduce((best, one, i) => (one.urgency > waiting[best]!.urgency ? i : best), 0);
      atWork += 1;
      waiting.splice(most, 1)[0]!.begin();
    }
  }

  return {
    async enter(urgency, work) {
      const turn = Promise.withResolvers<void>();
      waiting.push({ urgency, begin: turn.resolve });
      // Compares requests queued in the same event-loop tick before starting one.
      queueMicrotask(beginNext);
      await turn.promise;
      try {
        return await work();
      } finally {
        atWork -= 1;
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
