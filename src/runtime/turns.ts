// Splits long work into turns of the event loop: reads of the embedded store end without waiting, so that a response
// made of many would hold the thread, and every other caller, until it is written.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other callers wait for this and one more piece of work. */
const TURN_MS = 1;
/** When the first piece of work of this turn began. */
let beganMs: number | null = null;
let isTimed = true;

/** Await this between pieces of work: others run first if this turn has already taken long. */
export async function giveWay(afterMs = TURN_MS): Promise<void> {
  if (isTimed && beganMs !== null && performance.now() - beganMs >= afterMs) await nextTurn();
  beganMs ??= begin();
}

/** For runs that must not depend on real time: no turn counts as long. Returns a function that ends this. */
export function ignoreTurnLength(): () => void {
  isTimed = false;
  return () => {
    isTimed = true;
  };
}

/** Background work that waits for a turn, oldest first. */
const waiting: (() => void)[] = [];

/** One piece of background work per turn, however many jobs have work: otherwise their pieces would add up. */
export function takeBackgroundTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(runOldest);
  });
}

function runOldest(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(runOldest);
}

function begin(): number {
  setImmediate(() => {
    beganMs = null;
  });
  return performance.now();
}
