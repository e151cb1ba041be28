// When to refuse a request because more are waiting than can be served in time. A queue that does not empty for a while is
// overload: then what has waited too long is refused, what costs most first. Waiting is counted in CPU time of this thread,
// that is in work done for those ahead: a machine kept busy by others is not helped by refusing callers.

import type { RouteCost } from '../route.ts';

/** 0: all is answered; 1: what is costly is refused; 2: all but what is vital is. */
export type LoadLevel = 0 | 1 | 2;

export function isRefused(cost: RouteCost, load: LoadLevel): boolean {
  return cost === 'costly' ? load > 0 : cost === 'prepared' && load > 1;
}

/** Work ahead of a request that is too much when many wait. */
export const WAIT_LIMIT_MS = 30;
/** Once refusing: work ahead of a costly request beyond which it is refused, and of any request. */
export const COSTLY_WAIT_MS = 12;
export const ANY_WAIT_MS = 40;
/** A burst of this much work is served whole. */
export const BURST_MS = 250;
/** Fewer requests waiting at once are no flood, however slow each is. */
export const FLOOD_REQUESTS = 16;
/** A few say nothing of what one costs: the work of so many is shared at least. */
const LEAST_SERVED = 32;
/** Once refusing, whatever waits too long is refused at once until this long after the last refusal. */
export const HOLD_MS = 1_000;

export interface Waited {
  nowMs: number;
  /** CPU time of this thread so far. */
  cpuMs: number;
  /** What that was when the request came. */
  arrivedCpuMs: number;
  /** Requests still behind it. */
  behind: number;
}

export class LoadJudge {
  #queueBeganCpuMs = 0;
  #refusingUntilMs = -Infinity;
  /** Requests of this queue that had their turn. */
  #served = 0;

  /** The first request that has to wait. */
  beginQueue(cpuMs: number): void {
    this.#queueBeganCpuMs = cpuMs;
    this.#served = 0;
  }

  judge({ nowMs, cpuMs, arrivedCpuMs, behind }: Waited): LoadLevel {
    this.#served += 1;
    const waitedMs = cpuMs - arrivedCpuMs;
    if (waitedMs < COSTLY_WAIT_MS) return 0;
    if (!this.isRefusing(nowMs) && !this.#isFlood(waitedMs, cpuMs, behind)) return 0;
    this.#refusingUntilMs = nowMs + HOLD_MS;
    return waitedMs < ANY_WAIT_MS ? 1 : 2;
  }

  #isFlood(waitedMs: number, cpuMs: number, behind: number): boolean {
    if (waitedMs < WAIT_LIMIT_MS || behind < FLOOD_REQUESTS) return false;
    // Work that still waits counts as well: seeing it done first would only make all of it late.
    const doneMs = cpuMs - this.#queueBeganCpuMs;
    const eachMs = doneMs / Math.max(this.#served, LEAST_SERVED);
    return doneMs + behind * eachMs >= BURST_MS;
  }

  isRefusing(nowMs: number): boolean {
    return nowMs < this.#refusingUntilMs;
  }
}
