// Reports unreadable books and frames while other prices arrive, until ten minutes after the last problem.

import type { Clock } from '../../runtime/clock.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';
import { reportProblem } from '../recorder/report-problem.ts';

export interface PriceProblems {
  note(problem: string): void;
  /** Updates the health report. */
  publish(recorders: readonly AccountRecorder[]): Promise<void>;
}

const SHOWN_MS = 10 * 60_000;

/** `about` keeps the problems of different venues separate. */
export function createPriceProblems(clock: Clock, about: string): PriceProblems {
  let latest: { problem: string; ts: number; times: number } | null = null;

  function describe(): string | null {
    if (latest && clock.now() - latest.ts > SHOWN_MS) latest = null;
    return latest && (latest.times > 1 ? `${latest.problem}, ${latest.times} times` : latest.problem);
  }

  return {
    note(problem) {
      latest = { problem, ts: clock.now(), times: (latest?.times ?? 0) + 1 };
    },
    async publish(recorders) {
      const text = describe();
      for (const recorder of recorders) await reportProblem(recorder, `unreadable ${about}`, text);
    },
  };
}
