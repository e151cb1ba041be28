// Request counters for the metrics: plain numbers in arrays, formatted when scraped.

/** Upper bounds in milliseconds. */
export const DURATION_BOUNDS_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10000];

export class RequestMeter {
  /** Counts by route and status; the last index counts unknown paths. */
  readonly counts: Map<number, number>[];
  readonly durationBuckets = new Float64Array(DURATION_BOUNDS_MS.length + 1);
  durationSumMs = 0;
  requests = 0;
  bytes = 0;
  inFlight = 0;

  constructor(routes: number) {
    this.counts = Array.from({ length: routes + 1 }, () => new Map<number, number>());
  }

  record(routeIndex: number, status: number, durationMs: number, bytes: number): void {
    const counts = this.counts[routeIndex < 0 ? this.counts.length - 1 : routeIndex]!;
    counts.set(status, (counts.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < DURATION_BOUNDS_MS.length && durationMs > DURATION_BOUNDS_MS[bucket]!) bucket += 1;
    this.durationBuckets[bucket]! += 1;
    this.durationSumMs += durationMs;
    this.requests += 1;
    this.bytes += bytes;
  }
}
