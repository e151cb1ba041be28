// Fitting an account's past takes a tenth of a second of a core. With many accounts they stand in line, as many at work as
// there are threads, the busiest account first: its forecast is asked for as soon as its own past is in, and nobody's waits
// for everybody's.

import type { AccountSnapshot } from '../../state/snapshot.ts';

export interface LoadLine {
  /** Runs the work when it is its turn: the highest of `urgency` among those that wait. */
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
      // Those who come in the same breath are compared first.
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

/** Posts per millisecond, of those that are at hand. */
export function busynessOf({ recentPosts }: Pick<AccountSnapshot, 'recentPosts'>): number {
  const [newest, oldest] = [recentPosts[0], recentPosts.at(-1)];
  if (!newest || !oldest) return 0;
  return recentPosts.length / (newest.createdTs - oldest.createdTs + 1);
}
