// A queue for work of which only some may run at once, most urgent first.

export interface TurnQueue {
  /** Runs the work when a slot is free, highest `urgency` first. */
  enter<T>(urgency: number, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  urgency: number;
  begin: () => void;
}

export function createTurnQueue(limit: number): TurnQueue {
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
