// Counts one caller's requests over a rolling window in bounded memory. The exact variant stores every
// timestamp. The slotted variant counts per slot and drops a slot only once all of it has expired, so it
// never exceeds the limit and refuses at most one slot early.

import type { AllowanceJournal, UsedSlot, UseLine } from './allowance-journal.ts';
import { AllowanceLease } from './allowance-lease.ts';
import { GrantAudit } from './grant-audit.ts';
import type { LimitedCaller, LimitPolicy } from './limiter.ts';

export interface RollingWindow extends LimitedCaller {
  take(nowTs: number): boolean;
  hasRoom(nowTs: number): boolean;
  isIdle(nowTs: number): boolean;
  /** Journal lines that give back requests recorded but not used. */
  giveBack(): UseLine[];
}

/** Up to this limit every request is stored individually. */
const EXACT_UP_TO = 1_000;
const SLOTS = 720;
const FIRST_CAPACITY = 8;

/** With a journal, the window starts with the caller's earlier requests and persists new ones. */
export function createRollingWindow(
  policy: LimitPolicy,
  caller = '',
  journal: AllowanceJournal | null = null,
): RollingWindow {
  return policy.limit <= EXACT_UP_TO
    ? new ExactWindow(policy, caller, journal)
    : new SlottedWindow(policy, caller, journal);
}

class ExactWindow implements RollingWindow {
  readonly policy: LimitPolicy;
  remaining: number;
  resetTs = 0;
  #times = new Float64Array(FIRST_CAPACITY);
  #head = 0;
  #count = 0;
  #latestTs = 0;
  readonly #audit = new GrantAudit();
  readonly #lease: AllowanceLease | null;

  constructor(policy: LimitPolicy, caller: string, journal: AllowanceJournal | null) {
    this.policy = policy;
    this.remaining = policy.limit;
    this.#lease = journal && new AllowanceLease(caller, policy, 1, journal);
    if (journal) this.#restore(journal.recall(caller));
  }

  take(nowTs: number): boolean {
    const ts = this.#forget(nowTs);
    const room = this.policy.limit - this.#count;
    if (room > 0) {
      this.#lease?.cover(ts, room);
      this.#append(ts);
      this.#audit.note(this.policy, ts);
    }
    this.#note(ts);
    return room > 0;
  }

  giveBack(): UseLine[] {
    return this.#lease?.giveBack() ?? [];
  }

  hasRoom(nowTs: number): boolean {
    this.#note(this.#forget(nowTs));
    return this.#count < this.policy.limit;
  }

  isIdle(nowTs: number): boolean {
    this.#forget(nowTs);
    return this.#count === 0;
  }

  /** If the limit was lowered, only the latest requests count. */
  #restore(slots: readonly UsedSlot[]): void {
    const times = slots.flatMap(([expiresTs, used]) =>
      Array<number>(Math.max(0, used)).fill(expiresTs - this.policy.windowMs),
    );
    for (const ts of times.slice(-this.policy.limit)) this.#append(ts);
  }

  /** Drops expired entries; returns a time that never goes backwards. */
  #forget(nowTs: number): number {
    const ts = nowTs > this.#latestTs ? nowTs : this.#latestTs;
    const oldestTs = ts - this.policy.windowMs;
    while (this.#count > 0 && this.#times[this.#head]! <= oldestTs) {
      this.#head = (this.#head + 1) % this.#times.length;
      this.#count -= 1;
    }
    return ts;
  }

  #append(ts: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#head + this.#count) % this.#times.length] = ts;
    this.#count += 1;
    this.#latestTs = ts;
  }

  #grow(): void {
    const larger = new Float64Array(Math.min(this.policy.limit, this.#times.length * 2));
    for (let i = 0; i < this.#count; i++) larger[i] = this.#times[(this.#head + i) % this.#times.length]!;
    this.#times = larger;
    this.#head = 0;
  }

  #note(ts: number): void {
    this.remaining = this.policy.limit - this.#count;
    this.resetTs = (this.#count > 0 ? this.#times[this.#head]! : ts) + this.policy.windowMs;
  }
}

class SlottedWindow implements RollingWindow {
  readonly policy: LimitPolicy;
  remaining: number;
  resetTs = 0;
  readonly #slotMs: number;
  readonly #counts = new Uint32Array(SLOTS + 1);
  #total = 0;
  #oldestSlot = 0;
  #latestSlot = 0;
  readonly #audit = new GrantAudit();
  readonly #lease: AllowanceLease | null;

  constructor(policy: LimitPolicy, caller: string, journal: AllowanceJournal | null) {
    this.policy = policy;
    this.#slotMs = policy.windowMs / SLOTS;
    this.remaining = policy.limit;
    this.#lease = journal && new AllowanceLease(caller, policy, this.#slotMs, journal);
    if (journal) this.#restore(journal.recall(caller));
  }

  take(nowTs: number): boolean {
    const slot = this.#advance(nowTs);
    const room = this.policy.limit - this.#total;
    if (room > 0) {
      this.#lease?.cover(Math.max(nowTs, slot * this.#slotMs), room);
      this.#add(slot, 1);
      this.#audit.note(this.policy, nowTs);
    }
    this.#note();
    return room > 0;
  }

  giveBack(): UseLine[] {
    return this.#lease?.giveBack() ?? [];
  }

  hasRoom(nowTs: number): boolean {
    this.#advance(nowTs);
    this.#note();
    return this.#total < this.policy.limit;
  }

  isIdle(nowTs: number): boolean {
    this.#advance(nowTs);
    return this.#total === 0;
  }

  #add(slot: number, used: number): void {
    if (this.#total === 0) this.#oldestSlot = slot;
    this.#counts[slot % this.#counts.length]! += used;
    this.#total += used;
  }

  #restore(slots: readonly UsedSlot[]): void {
    for (const [expiresTs, used] of slots) {
      const slot = this.#advance(expiresTs - this.policy.windowMs);
      if (used > 0) this.#add(slot, used);
    }
  }

  /** Drops every slot that ended at least a window ago; returns the current slot. */
  #advance(nowTs: number): number {
    const slot = Math.max(this.#latestSlot, Math.floor(nowTs / this.#slotMs));
    this.#latestSlot = slot;
    while (this.#total > 0 && this.#oldestSlot < slot - SLOTS) this.#dropOldest();
    while (this.#total > 0 && this.#counts[this.#oldestSlot % this.#counts.length] === 0)
      this.#oldestSlot += 1;
    return slot;
  }

  #dropOldest(): void {
    const index = this.#oldestSlot % this.#counts.length;
    this.#total -= this.#counts[index]!;
    this.#counts[index] = 0;
    this.#oldestSlot += 1;
  }

  #note(): void {
    this.remaining = this.policy.limit - this.#total;
    const fromSlot = this.#total > 0 ? this.#oldestSlot : this.#latestSlot;
    this.resetTs = (fromSlot + 1) * this.#slotMs + this.policy.windowMs;
  }
}
