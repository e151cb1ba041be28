// Bench interface and options.

import type { BenchRow } from './row.ts';

export interface BenchOptions {
  /** Runs fewer, shorter rounds: a smoke test, not a measurement. */
  isQuick: boolean;
  /** Duration of open-ended benches; null for the default. */
  minutes: number | null;
  /** Request rate of fixed-rate benches, per second; null to measure the capacity first. */
  perSecond: number | null;
  /** Reports progress. */
  say(text: string): void;
  /** Records what could not be measured and why; printed with the results. */
  note(text: string): void;
  /** Temporary folder, removed at the end. */
  scratchDir: string;
}

export interface Bench {
  name: string;
  /** Runs only when named explicitly, because it takes too long for a full run. */
  isLong?: boolean;
  run(options: BenchOptions): Promise<BenchRow[]>;
}
