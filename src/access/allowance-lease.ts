// Writes a caller's use down before it happens, a handful at a time: while the handful lasts, a request costs no disk.
// What is on disk counts at least what was used, and for at least as long, so a killed process grants nobody more than the
// limit afterwards; the caller loses at most what was left of the handful. It grows with the pace of the caller, so that
// whoever asks now and then loses nothing, and what it does not use in time is given back.

import type { AllowanceJournal, UseLine } from './allowance-journal.ts';
import type { LimitPolicy } from './limiter.ts';

/** A handful is for this long, and so counts for this much longer than the hour after a restart. */
export const LEASE_MS = 10_000;
const MOST_AHEAD = 100;
/** Of the limit: five of a hundred; of ten, one at a time. */
const SHARE_AHEAD = 1 / 20;

export class AllowanceLease {
  readonly #caller: string;
  readonly #policy: LimitPolicy;
  readonly #slotMs: number;
  readonly #journal: AllowanceJournal;
  #size = 1;
  #left = 0;
  #untilTs = Number.NEGATIVE_INFINITY;
  #expiresTs = 0;

  /** A request counts until the whole slot that it was made in has left the window. */
  constructor(caller: string, policy: LimitPolicy, slotMs: number, journal: AllowanceJournal) {
    this.#caller = caller;
    this.#policy = policy;
    this.#slotMs = slotMs;
    this.#journal = journal;
  }

  /** When it returns, one more request at this time is on disk. `room` is what the limit leaves, that one included. */
  cover(ts: number, room: number): void {
    if (this.#left === 0 || ts > this.#untilTs) this.#renew(ts, room);
    this.#left -= 1;
  }

  /** What was not used, as a line that gives it back. */
  giveBack(): UseLine[] {
    if (this.#left === 0) return [];
    const line = { caller: this.#caller, expiresTs: this.#expiresTs, used: -this.#left };
    this.#left = 0;
    return [line];
  }

  /** Twice as many for whoever used up the last in time; else as many as were used of it. */
  #renew(ts: number, room: number): void {
    const wanted = ts > this.#untilTs ? this.#size - this.#left : this.#size * 2;
    const lines = this.giveBack();
    this.#size = Math.max(1, Math.min(wanted, mostAhead(this.#policy.limit), room));
    this.#left = this.#size;
    this.#untilTs = ts + LEASE_MS;
    const slotEndTs = Math.ceil((this.#untilTs + 1) / this.#slotMs) * this.#slotMs - 1;
    this.#expiresTs = slotEndTs + this.#policy.windowMs;
    lines.push({ caller: this.#caller, expiresTs: this.#expiresTs, used: this.#size });
    this.#journal.write(lines);
  }
}

function mostAhead(limit: number): number {
  return Math.min(MOST_AHEAD, Math.floor(limit * SHARE_AHEAD));
}
