// Decides when simulated time may move, and in which order the store's real work happens, so that a run depends on
// its seed only. Store calls run one at a time, in the order they were made, and each starts only after everything
// that the previous one caused has ended: otherwise the speed of a thread or a disk would decide what comes first.

import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Quiet {
  /** Runs a store call when its turn comes. Calls of a process that died in the meantime never run. */
  run<T>(name: string, work: () => Promise<T>, death?: AbortSignal): Promise<T>;
  /** Tracks a real asynchronous call until it settles. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Notes activity that may cause more. */
  stir(): void;
  settle(): Promise<void>;
  /** What is under way, for a run that is stuck. */
  describe(): string;
}

const QUIET_TURNS = 2;

export function createQuiet(): Quiet {
  const waiting: (() => Promise<void>)[] = [];
  let isRunning = false;
  let underWay = 0;
  let stirs = 0;
  /** Callers of passQuietTurns, each of which schedules a turn. */
  let watchers = 0;
  let onIdle = () => {};
  let running = 'nothing';

  function begin(): void {
    underWay += 1;
  }

  function end(): void {
    underWay -= 1;
    stirs += 1;
    if (underWay === 0) onIdle();
  }

  async function runWaiting(): Promise<void> {
    isRunning = true;
    begin();
    while (waiting.length > 0) {
      await passQuietTurns();
      await waiting.shift()!();
      stirs += 1;
    }
    isRunning = false;
    end();
  }

  /** Until nothing has happened for some turns of the event loop, and nothing is scheduled for the next one. */
  async function passQuietTurns(): Promise<void> {
    let seen = -1;
    watchers += 1;
    for (let turns = 0; turns < QUIET_TURNS; ) {
      await nextTurn();
      turns = stirs === seen && countScheduled() < watchers ? turns + 1 : 0;
      seen = stirs;
    }
    watchers -= 1;
  }

  return {
    run<T>(name: string, work: () => Promise<T>, death?: AbortSignal) {
      const outcome = Promise.withResolvers<T>();
      waiting.push(async () => {
        if (death?.aborted) return;
        running = name;
        const died = Promise.withResolvers<void>();
        const stopWaiting = () => died.resolve();
        death?.addEventListener('abort', stopWaiting, { once: true });
        const ended = work().then(outcome.resolve, outcome.reject);
        await Promise.race([ended, died.promise]);
        // A long run makes millions of calls, and a signal searches all of its listeners for each new one.
        death?.removeEventListener('abort', stopWaiting);
        running = 'nothing';
      });
      if (!isRunning) void runWaiting();
      return outcome.promise;
    },
    track(work) {
      begin();
      work.then(end, end);
      return work;
    },
    stir() {
      stirs += 1;
    },
    async settle() {
      do {
        // Waits instead of spinning, because the disk takes time.
        if (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve));
        await passQuietTurns();
      } while (underWay > 0);
    },
    describe: () => `store runs ${running}, ${waiting.length} calls wait, ${underWay} under way`,
  };
}

function countScheduled(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Immediate').length;
}
