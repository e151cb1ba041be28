// Delay from a post's creation until we count it, over the latest live captures.

import type { CaptureDelay } from '../../state/snapshot.ts';

const SAMPLE_LIMIT = 1_000;

export interface CaptureDelays {
  add(delayMs: number): void;
  summary(): CaptureDelay;
}

export function createCaptureDelays(initialMs: readonly number[] = []): CaptureDelays {
  const samples = initialMs.slice(-SAMPLE_LIMIT);
  return {
    add(delayMs) {
      samples.push(Math.max(0, delayMs));
      if (samples.length > SAMPLE_LIMIT) samples.shift();
    },
    summary() {
      const sorted = samples.toSorted((left, right) => left - right);
      return {
        medianMs: nearestRank(sorted, 0.5),
        p90Ms: nearestRank(sorted, 0.9),
        p99Ms: nearestRank(sorted, 0.99),
        sampleSize: sorted.length,
      };
    },
  };
}

/** Always returns an observed delay, unlike the track record's quantile, which interpolates. */
function nearestRank(sorted: readonly number[], level: number): number | null {
  if (sorted.length === 0) return null;
  return sorted[Math.min(sorted.length - 1, Math.ceil(level * sorted.length) - 1)]!;
}
