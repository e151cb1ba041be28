// What a bench is, and what it is given.

import type { BenchRow } from './row.ts';

export interface BenchOptions {
  /** Few and short rounds: shows that everything runs, not how fast. */
  isQuick: boolean;
  /** A whole day's requests in the memory bench. */
  isDay: boolean;
  /** Length of a bench with a free length; null unless given. */
  minutes: number | null;
  /** Requests a second of a bench with a fixed rate; null to measure the capacity first. */
  perSecond: number | null;
  /** Figures go into the documents. */
  isWritten: boolean;
  /** Progress messages. */
  say(text: string): void;
  /** What could not be measured here, and why; printed with the results. */
  note(text: string): void;
  /** A folder that is removed at the end. */
  scratchDir: string;
  /** Snapshots of the simulator, taken once per run. */
  snapshotFile(): Promise<string>;
}

export interface Bench {
  name: string;
  /** What its rows mean, for the page of results. */
  about: string;
  /** Only when named: too long for a run of everything. */
  isLong?: boolean;
  run(options: BenchOptions): Promise<BenchRow[]>;
}
