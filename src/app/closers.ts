// Closes components in reverse order; one that fails or hangs does not prevent the others from closing.

import { type Clock, systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';

export interface Closers {
  /** `name` identifies the component in the log. */
  add(name: string, close: () => Promise<void>): void;
  closeAll(): Promise<void>;
}

/** Limit for all components together: supervisors kill the process after 20 seconds. */
const ALL_WITHIN_MS = 13_000;
/** Time reserved for each remaining component. */
const MIN_MS = 500;

export function createClosers(logger: Logger, clock: Clock = systemClock): Closers {
  const opened: { name: string; close: () => Promise<void> }[] = [];
  return {
    add: (name, close) => void opened.push({ name, close }),
    async closeAll() {
      const endTs = clock.now() + ALL_WITHIN_MS;
      for (let last = opened.pop(); last; last = opened.pop()) {
        try {
          const leftMs = endTs - clock.now() - opened.length * MIN_MS;
          await within(clock, Math.max(MIN_MS, leftMs), last.close());
        } catch (error) {
          logger.error(
            { part: last.name, error: errorMessage(error) },
            'component failed to shut down cleanly',
          );
        }
      }
    },
  };
}

function within(clock: Clock, limitMs: number, closing: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limitMs, () => reject(new Error(`not closed after ${limitMs} ms`)));
    closing.then(resolve, reject).finally(cancel);
  });
}
