// Limits how long a stalled store can delay a request.

import type { Clock } from './clock.ts';
import { StoreError } from './errors.ts';

export function createDeadline(clock: Clock, limitMs: number): <T>(work: Promise<T>) => Promise<T> {
  return (work) =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(limitMs, () =>
        reject(new StoreError(`no response within ${limitMs} ms`, { isRetryable: true })),
      );
      work.then(resolve, reject).finally(cancel);
    });
}
