// Tracks whether the store with the shared allowances responds. While it does not, requests do not wait for
// it; one background query checks whether it is back.

import type { Clock } from '../runtime/clock.ts';
import { createDeadline } from '../runtime/deadline.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { AllowanceStore } from '../store/ports.ts';

export interface StoreWatchOptions {
  allowances: AllowanceStore;
  clock: Clock;
  logger: Logger;
  /** A store that takes longer to respond counts as down. */
  answerWithinMs?: number;
}

/** Longer than a healthy database takes, shorter than a caller would notice. */
const ANSWER_WITHIN_MS = 300;
/** Pause between checks of a store that is down. */
const RETRY_STORE_MS = 1_000;
const PROBE = 'probe';

/** Store state shared by all callers. */
export class StoreWatch {
  isAway = false;
  readonly allowances: AllowanceStore;
  readonly #options: StoreWatchOptions;
  #cancelProbe = () => {};

  constructor(options: StoreWatchOptions) {
    this.#options = options;
    const within = createDeadline(options.clock, options.answerWithinMs ?? ANSWER_WITHIN_MS);
    const { allowances } = options;
    this.allowances = {
      take: (...args) => within(allowances.take(...args)),
      giveBack: (...args) => within(allowances.giveBack(...args)),
      prune: (...args) => within(allowances.prune(...args)),
    };
  }

  noteAway(error: unknown): void {
    if (this.isAway) return;
    this.isAway = true;
    const { logger } = this.#options;
    logger.warn({ error: errorMessage(error) }, 'shared limiter down; enforcing per-replica shares');
    this.#probeLater();
  }

  stop(): void {
    this.#cancelProbe();
  }

  #probeLater(): void {
    this.#cancelProbe = this.#options.clock.after(RETRY_STORE_MS, () => void this.#probe());
  }

  /** Needs no deadline, because only one probe is open at a time. */
  async #probe(): Promise<void> {
    const { clock, allowances } = this.#options;
    try {
      await allowances.take(PROBE, 0, 1, { windowMs: 1, slotMs: 1, nowTs: clock.now() });
      this.isAway = false;
    } catch {
      this.#probeLater();
    }
  }
}
