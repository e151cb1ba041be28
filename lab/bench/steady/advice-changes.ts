// Advice changes between two readings of /signals, and whether a price or probability move explains them.

export interface Reading {
  /** Account, event and bucket. */
  key: string;
  ts: number;
  verdict: string;
  marketPrice: number | null;
  blended: number;
  /** The cause given by the service. */
  changedBecause: string | null;
}

export interface AdviceChange {
  key: string;
  ts: number;
  from: string;
  to: string;
  priceMove: number;
  blendedMove: number;
  cause: string | null;
  /**
   * The price moved less than a tick, the blended probability less than half a point, and the service gives
   * no cause.
   */
  isWithoutCause: boolean;
}

const TICK = 0.001;
const HALF_POINT = 0.005;

/** Measures moves from when the verdict was first seen, so that a slow drift is a cause too. */
export function createChangeWatch() {
  const seen = new Map<string, Reading>();
  const changes: AdviceChange[] = [];
  return {
    changes,
    /** Number of buckets seen so far. */
    size: () => seen.size,
    take(reading: Reading): void {
      const first = seen.get(reading.key);
      if (first?.verdict === reading.verdict) return;
      seen.set(reading.key, reading);
      if (first) changes.push(compare(first, reading));
    },
  };
}

function compare(before: Reading, after: Reading): AdviceChange {
  const priceMove = Math.abs((after.marketPrice ?? 0) - (before.marketPrice ?? 0));
  const blendedMove = Math.abs(after.blended - before.blended);
  return {
    key: after.key,
    ts: after.ts,
    from: before.verdict,
    to: after.verdict,
    priceMove,
    blendedMove,
    cause: after.changedBecause,
    isWithoutCause:
      priceMove < TICK - 1e-9 && blendedMove < HALF_POINT - 1e-9 && after.changedBecause === null,
  };
}

/** Maximum number of changes to a single bucket within any hour. */
export function findMaxPerHour(changes: readonly Pick<AdviceChange, 'key' | 'ts'>[]): number {
  const HOUR_MS = 3_600_000;
  return Math.max(
    0,
    ...changes.map(
      ({ key, ts }) =>
        changes.filter((other) => other.key === key && other.ts >= ts && other.ts < ts + HOUR_MS).length,
    ),
  );
}
