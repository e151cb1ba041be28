// Records a caller's requests before they happen, a few at a time, so that most requests need no disk write.
// The journal never undercounts, so a killed process never grants more than the limit; the caller loses at
// most the rest of the lease. Leases grow with the caller's rate, so occasional callers lose nothing, and
// unused requests are given back when the lease expires.

import type { AllowanceJournal, UseLine } from './allowance-journal.ts';
import type { LimitPolicy } from './limiter.ts';

/** Lifetime of a lease. After a restart, its requests count for an hour plus this. */
export const LEASE_MS = 10_000;
const MOST_AHEAD = 100;
/** Largest lease as a share of the limit: 5 requests at a limit of 100, 1 at a limit of 10. */
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

  /** A request counts until its whole slot has left the window. */
  constructor(caller: string, policy: LimitPolicy, slotMs: number, journal: AllowanceJournal) {
    this.#caller = caller;
    this.#policy = policy;
    this.#slotMs = slotMs;
    this.#journal = journal;
  }

  /** Ensures that this request is on disk. `room` is what the limit still allows, this one included. */
  cover(ts: number, room: number): void {
    if (this.#left === 0 || ts > this.#untilTs) this.#renew(ts, room);
    this.#left -= 1;
  }

  /** Journal line that gives back the unused requests. */
  giveBack(): UseLine[] {
    if (this.#left === 0) return [];
    const line = { caller: this.#caller, expiresTs: this.#expiresTs, used: -this.#left };
    this.#left = 0;
    return [line];
  }

  /** Doubles the lease if the last one was used up before it expired; otherwise matches the number used. */
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
