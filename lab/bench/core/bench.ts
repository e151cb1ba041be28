// Interface of a bench, and its inputs.

import type { BenchRow } from './row.ts';

export interface BenchOptions {
  /** Fewer, shorter rounds: a smoke test, not a measurement. */
  isQuick: boolean;
  /** Duration of open-ended benches; null by default. */
  minutes: number | null;
  /** Requests a second of a bench with a fixed rate; null to measure the capacity first. */
  perSecond: number | null;
  /** Write the figures to the documents. */
  isWritten: boolean;
  /** Progress messages. */
  say(text: string): void;
  /** Records what could not be measured and why; printed with the results. */
  note(text: string): void;
  /** A folder that is removed at the end. */
  scratchDir: string;
}

export interface Bench {
  name: string;
  /** What its rows mean, for the results page. */
  about: string;
  /** Runs only when named: too long for a full run. */
  isLong?: boolean;
  run(options: BenchOptions): Promise<BenchRow[]>;
}
