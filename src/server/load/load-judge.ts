// When a request is refused because it could not be served in time: when so much waits ahead of it, at the pace at which
// the queue has just been served, that its wait would pass the bound. Nothing is refused for having waited: a wait that is
// over says nothing of the next, and most long ones are a stall of the machine, not a flood.

import type { RouteCost } from './route-cost.ts';

/** Of memory. 0: all is answered; 1: what is costly is refused; 2: all but what is vital is. */
export type LoadLevel = 0 | 1 | 2;

export function isRefused(cost: RouteCost, load: LoadLevel): boolean {
  return cost === 'costly' ? load > 0 : cost === 'prepared' && load > 1;
}

/**
 * Expected waits beyond which a request is refused. What is kept should be answered within a quarter of a second: the turn in
 * which it is read, its own work and the error of the expectation come on top, which is up to 60 ms in a flood. A prepared
 * answer costs hardly more than saying no.
 */
export const WAIT_LIMIT_MS: Readonly<Record<RouteCost, number>> = {
  costly: 170,
  prepared: 190,
  vital: Infinity,
};
/** So many at once are served whole, however slow each is: callers that wait for their answers are no flood. */
export const CROWD_REQUESTS = 256;
/** With more connections than a crowd has, and some that idle, those who wait may be a flood: only the wait counts then. */
export const CROWD_CONNECTIONS = 384;
const LEAST_PLACES = 32;
/** The pace is the median over so many slices, so that one stall of the machine is not taken for slow service. */
export const PACE_SLICES = 9;

export class LoadJudge {
  #slicesMs: number[] = [];
  #eachMs = 0;

  /** How long the queue took for so many, the loop's other work included. */
  noteSlice(elapsedMs: number, served: number): void {
    this.#slicesMs.push(elapsedMs / served);
    if (this.#slicesMs.length > PACE_SLICES) this.#slicesMs.shift();
    this.#eachMs = this.#slicesMs.toSorted((a, b) => a - b)[this.#slicesMs.length >> 1]!;
  }

  /** How many may wait ahead of a request that it is still served, with so many connections open. */
  countPlaces(cost: RouteCost, connections: number): number {
    const sure = connections > CROWD_CONNECTIONS ? LEAST_PLACES : CROWD_REQUESTS;
    return Math.max(sure, WAIT_LIMIT_MS[cost] / this.#eachMs);
  }
}
