// The three counts of an event and the differences between them.

export interface Counters {
  /** Our own count, including deleted captures. null until the post feed has responded once. */
  real: number | null;
  oracle: number | null;
  ui: number | null;
}

export interface CounterDeltas {
  /** real - oracle: positive if we are ahead of the oracle. */
  settlement: number | null;
  /** real - ui: positive if the market's page is behind. */
  display: number | null;
  /** ui - oracle. */
  internal: number | null;
}

export function computeDeltas(counters: Counters): CounterDeltas {
  return {
    settlement: subtract(counters.real, counters.oracle),
    display: subtract(counters.real, counters.ui),
    internal: subtract(counters.ui, counters.oracle),
  };
}

function subtract(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left - right;
}
