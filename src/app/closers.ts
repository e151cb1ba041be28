// What was opened is closed in the opposite order; one that fails does not keep the others open.

import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';

export interface Closers {
  /** `name` is what a failure is logged under. */
  add(name: string, close: () => Promise<void>): void;
  closeAll(): Promise<void>;
}

export function createClosers(logger: Logger): Closers {
  const opened: { name: string; close: () => Promise<void> }[] = [];
  return {
    add: (name, close) => void opened.push({ name, close }),
    async closeAll() {
      for (let last = opened.pop(); last; last = opened.pop()) {
        try {
          await last.close();
        } catch (error) {
          logger.error({ part: last.name, error: errorMessage(error) }, 'a part did not close in order');
        }
      }
    },
  };
}
