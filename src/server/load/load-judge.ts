// Decides which requests cannot be served in time: those with so many requests ahead that, at the recent
// rate, the expected wait exceeds the limit. Past waits are ignored: most long ones are machine stalls.

/** Memory level. 0: serve all requests; 1: refuse costly requests; 2: refuse all but vital requests. */
export type LoadLevel = 0 | 1 | 2;

export function isRefused(cost: RouteCost, load: LoadLevel): boolean {
  return cost === 'costly' ? load > 0 : cost === 'prepared' && load > 1;
}

/**
 * Expected waits beyond which a request is refused. Responses should arrive within 250 ms; reading, serving
 * and the estimate's error add up to 60 ms in a flood. A prepared response costs little more than a refusal.
 */
export const WAIT_LIMIT_MS: Readonly<Record<RouteCost, number>> = {
  costly: 170,
  prepared: 190,
  vital: Infinity,
};
/** This many concurrent requests are always served: callers that wait for each response are not a flood. */
export const CROWD_REQUESTS = 256;
/**
 * With more connections than this, queued requests may be a flood even if some connections are idle, so only
 * the expected wait counts.
 */
export const CROWD_CONNECTIONS = 384;
const MIN_PLACES = 32;
/**
 * The rate is the median over this many slices, so that one machine stall does not look like slow service.
 */
export const PACE_SLICES = 9;

export class LoadJudge {
  #slicesMs: number[] = [];
  #eachMs = 0;

  /** Records how long the queue took for this many requests, including other work on the event loop. */
  noteSlice(elapsedMs: number, served: number): void {
    this.#slicesMs.push(elapsedMs / served);
    if (this.#slicesMs.length > PACE_SLICES) this.#slicesMs.shift();
    this.#eachMs = this.#slicesMs.toSorted((a, b) => a - b)[this.#slicesMs.length >> 1]!;
  }

  /** How many requests may be ahead of a request before it is refused, given the open connections. */
  countPlaces(cost: RouteCost, connections: number): number {
    const sure = connections > CROWD_CONNECTIONS ? MIN_PLACES : CROWD_REQUESTS;
    return Math.max(sure, WAIT_LIMIT_MS[cost] / this.#eachMs);
  }
}

// The order in which routes are shed under load.

/** `costly` is refused first, then `prepared` (served from cached bytes); `vital` is never refused. */
export type RouteCost = 'vital' | 'prepared' | 'costly';
