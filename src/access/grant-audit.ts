// Counts the requests granted to a caller, independently of the limiter, to catch limiter bugs.

import { expectInvariant } from '../runtime/invariants.ts';
import type { LimitPolicy } from './limiter.ts';

/** Checks back-to-back windows only: a limit that holds in every rolling window holds in these too. */
export class GrantAudit {
  #startTs = Number.NEGATIVE_INFINITY;
  #granted = 0;

  note({ name, limit, windowMs }: LimitPolicy, ts: number): void {
    // A request reported out of order belongs to the previous window.
    if (ts < this.#startTs) return;
    if (ts - this.#startTs >= windowMs) {
      this.#startTs = ts;
      this.#granted = 0;
    }
    this.#granted += 1;
    const granted = this.#granted;
    expectInvariant('allowance-exceeded', granted <= limit, () => ({ policy: name, limit, granted }));
  }
}
