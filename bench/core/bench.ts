// What a bench is, and what it is given.

import type { BenchRow } from './row.ts';

export interface BenchOptions {
  /** Few and short rounds: shows that everything runs, not how fast. */
  isQuick: boolean;
  /** A whole day's requests in the memory bench. */
  isDay: boolean;
  /** Progress, for whoever waits. */
  say(text: string): void;
  /** What could not be measured here, and why; printed with the results. */
  note(text: string): void;
  /** A folder that is removed at the end. */
  scratchDir: string;
  /** Snapshots of the pretend world, taken once per run. */
  snapshotFile(): Promise<string>;
}

export interface Bench {
  name: string;
  /** What its rows mean, for the page of results. */
  about: string;
  run(options: BenchOptions): Promise<BenchRow[]>;
}
