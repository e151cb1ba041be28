// Runs one task at a time, round-robin over callers: a caller with 32 tasks delays other callers by only one.

import { FairLine } from './fair-line.ts';

export interface FairTurns {
  /** Runs the task when it is the caller's turn. */
  enter<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

export function createFairTurns(): FairTurns {
  const waiting = new FairLine<{ caller: string; begin: () => void }>();
  let isBusy = false;

  function beginNext(): void {
    if (isBusy) return;
    const next = waiting.shift();
    if (next === undefined) return;
    isBusy = true;
    next.begin();
  }

  return {
    async enter(caller, work) {
      const turn = Promise.withResolvers<void>();
      waiting.push({ caller, begin: turn.resolve });
      beginNext();
      await turn.promise;
      try {
        return await work();
      } finally {
        isBusy = false;
        beginNext();
      }
    },
  };
}
