// The only source of wall-clock time. Everything else receives a Clock.

import { StoreError } from './errors.ts';

export interface Clock {
  /** UTC milliseconds. */
  now(): number;
  /** Runs `action` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

/** Starts at the wall clock's time and then counts elapsed time, so that setting the wall clock does not move it. */
export const steadyClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  after: systemClock.after,
};

export interface ManualClock extends Clock {
  /** Moves time forward and runs every due timer in order. */
  advance(byMs: number): void;
  /** Like advance, but lets promises settle after each timer, so that async loops make progress. */
  advanceAsync(byMs: number): Promise<void>;
  /** Moves the clock without running timers, like a manual or NTP adjustment. */
  step(byMs: number): void;
}

interface ManualTimer {
  dueTs: number;
  order: number;
  action: () => void;
}

export function createManualClock(startTs: number): ManualClock {
  let nowTs = startTs;
  let order = 0;
  const timers = new Set<ManualTimer>();

  function takeNextDue(untilTs: number): ManualTimer | undefined {
    let next: ManualTimer | undefined;
    for (const timer of timers) {
      if (timer.dueTs > untilTs) continue;
      if (!next || timer.dueTs < next.dueTs || (timer.dueTs === next.dueTs && timer.order < next.order))
        next = timer;
    }
    if (next) timers.delete(next);
    return next;
  }

  return {
    now: () => nowTs,
    after(delayMs, action) {
      // Whole milliseconds, like real clocks: stores reject fractions, which jitter can produce.
      const timer = { dueTs: Math.ceil(nowTs + Math.max(0, delayMs)), order: order++, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(byMs) {
      const untilTs = nowTs + byMs;
      for (let timer = takeNextDue(untilTs); timer; timer = takeNextDue(untilTs)) {
        nowTs = Math.max(nowTs, timer.dueTs);
        timer.action();
      }
      nowTs = untilTs;
    },
    async advanceAsync(byMs) {
      const untilTs = nowTs + byMs;
      await settle();
      for (let timer = takeNextDue(untilTs); timer; timer = takeNextDue(untilTs)) {
        nowTs = Math.max(nowTs, timer.dueTs);
        timer.action();
        await settle();
      }
      nowTs = untilTs;
    },
    step(byMs) {
      nowTs += byMs;
    },
  };
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves after `delayMs`, or immediately when the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** Waits until the work settles, but no longer than this; leaves no timer behind. */
export async function waitAtMost(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  const end = () => settled.abort();
  work.then(end, end);
  await sleep(clock, limitMs, settled.signal);
}

// Limits how long a stalled store can delay a request.

export function createDeadline(clock: Clock, limitMs: number): <T>(work: Promise<T>) => Promise<T> {
  return (work) =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(limitMs, () =>
        reject(new StoreError(`no response within ${limitMs} ms`, { isRetryable: true })),
      );
      work.then(resolve, reject).finally(cancel);
    });
}
