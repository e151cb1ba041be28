// Counts what a caller was granted, independently of the limiter that granted it.

import { expectInvariant } from '../runtime/invariants.ts';
import type { LimitPolicy } from './limiter.ts';

/** A limit on every rolling window also holds for windows that follow each other. */
export class GrantAudit {
  #startTs = Number.NEGATIVE_INFINITY;
  #granted = 0;

  note({ name, limit, windowMs }: LimitPolicy, ts: number): void {
    // A request that waited longer than the next one belongs to the window before.
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
