// Background work on the thread that serves requests: after every piece of work it lets waiting requests run,
// and under load it pauses; otherwise it uses idle time fully.

import { type Clock, sleep, systemClock } from './clock.ts';
import { takeBackgroundTurn } from './turns.ts';

/** Number of requests handled so far. */
export interface Traffic {
  requests: number;
}

export interface CalmTerms {
  traffic?: Traffic | undefined;
  clock: Clock;
  /** Maximum delay past the due time, even under load. */
  latestMs: number;
}

const LOOK_EVERY_MS = 1_000;

/** Runs blocking work after a delay, in the first second with few requests. Returns a cancel function. */
export function runWhenCalm(afterMs: number, action: () => void, { traffic, clock, latestMs }: CalmTerms) {
  const latestTs = clock.now() + afterMs + latestMs;
  const count = () => traffic?.requests ?? 0;
  let seen = 0;
  function look(): void {
    const isBusy = count() - seen >= BUSY_PER_SECOND;
    if (isBusy && clock.now() < latestTs) waitOn();
    else action();
  }
  function waitOn(): void {
    seen = count();
    cancel = clock.after(LOOK_EVERY_MS, look);
  }
  let cancel = clock.after(Math.max(0, afterMs - LOOK_EVERY_MS), () => waitOn());
  return () => cancel();
}

export interface CourtesyOptions {
  /** If absent, work never pauses. */
  traffic?: Traffic | undefined;
  /** Real time of this machine, independent of the service's clock. */
  clock?: Clock;
  signal?: AbortSignal;
  /** How long to run without pausing after the start. */
  beginsAfterMs?: number;
}

/** During startup callers see incomplete data, so work does not pause for this long. */
const PAUSE_AFTER_MS = 8_000;
/** Fewer requests than this leave the thread mostly idle. */
const BUSY_PER_SECOND = 200;
/** Pause after a piece of work, as a multiple of its duration: while busy, and while anyone calls. */
const PAUSE_TIMES = 4;
const CALLED_PAUSE_TIMES = 0.5;
const LONGEST_PAUSE_MS = 500;

/** Returns a function to await after each piece of background work. */
export function createCourtesy({
  traffic,
  clock = systemClock,
  signal,
  beginsAfterMs = PAUSE_AFTER_MS,
}: CourtesyOptions): () => Promise<void> {
  const beginsTs = clock.now() + beginsAfterMs;
  let resumedTs = clock.now();
  let seen = traffic?.requests ?? 0;

  function choosePauseMs(): number {
    const nowTs = clock.now();
    const workedMs = nowTs - resumedTs;
    const calls = (traffic?.requests ?? 0) - seen;
    if (nowTs < beginsTs || calls === 0) return 0;
    const isBusy = calls / (Math.max(1, workedMs) / 1_000) >= BUSY_PER_SECOND;
    return Math.min(LONGEST_PAUSE_MS, (isBusy ? PAUSE_TIMES : CALLED_PAUSE_TIMES) * workedMs);
  }

  return async () => {
    const pauseMs = choosePauseMs();
    // Reads of the embedded store end without waiting, so a loop of them would hold the thread.
    if (pauseMs > 0) await sleep(clock, pauseMs, signal);
    else await takeBackgroundTurn();
    resumedTs = clock.now();
    seen = traffic?.requests ?? 0;
  };
}
