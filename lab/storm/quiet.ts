// Detects quiescence: no store call in progress, and no activity for some event-loop ticks. Only then may the
// clock advance, so that a run is reproducible.

import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Quiet {
  /** Tracks a real asynchronous call until it settles or its process dies. */
  track<T>(work: Promise<T>, death?: AbortSignal): Promise<T>;
  /** Notes activity that may cause more. */
  stir(): void;
  settle(): Promise<void>;
}

const QUIET_TURNS = 2;

export function createQuiet(): Quiet {
  let underWay = 0;
  let stirs = 0;
  let onIdle = () => {};

  return {
    track(work, death) {
      underWay += 1;
      let isDone = false;
      const done = () => {
        if (isDone) return;
        isDone = true;
        death?.removeEventListener('abort', done);
        underWay -= 1;
        stirs += 1;
        if (underWay === 0) onIdle();
      };
      death?.addEventListener('abort', done, { once: true });
      work.then(done, done);
      return work;
    },
    stir() {
      stirs += 1;
    },
    async settle() {
      let seen = -1;
      for (let turns = 0; turns < QUIET_TURNS; ) {
        // Waits instead of spinning, because the disk takes time.
        if (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve));
        await nextTurn();
        if (underWay === 0 && stirs === seen) turns += 1;
        else turns = 0;
        seen = stirs;
      }
    },
  };
}
