// Limiter with one allowance per caller across all replicas, held in the store.
//
// Replicas take a caller's requests in small leases: one at a time for small limits, which is exact;
// otherwise as many as the caller will probably use, so that most requests need no round trip. Leases shrink
// as the allowance runs out, so that no replica holds requests that another needs. An active caller's next
// lease is fetched before the last one ends, and unused requests are given back. A lease counts until its
// last possible use has left the window, so replicas together never exceed the limit.
//
// While the store is down or slow, each replica enforces its share of the remaining allowance and reports its
// grants to the store later. Requests never wait: one background query checks whether the store is back.

import { hashLabel } from '../runtime/random.ts';
import type { Tier } from '../store/ports.ts';
import { GrantAudit } from './grant-audit.ts';
import type { Allowance, LimitedCaller, Limiter, LimitPolicy, LimitSettings } from './limiter.ts';
import { createLocalLimiter, createPolicies } from './local-limiter.ts';
import { StoreWatch, type StoreWatchOptions } from './store-watch.ts';
import { createSweptMap } from './swept-map.ts';

export interface SharedLimiterOptions extends StoreWatchOptions {
  settings: LimitSettings;
  /** Number of processes; each enforces this fraction of the limit while the store is down. */
  replicas: number;
  terms?: LeaseTerms;
}

export interface LeaseTerms {
  /** Maximum lifetime of a lease; its requests cannot be used after that. */
  leaseMs: number;
  /** A lease in use is renewed at this age, even if requests are left. */
  renewAfterMs: number;
  /** Slots per window; slot and lease together delay expiry by at most 1%. */
  slots: number;
}

/** For a database: keeps rows short enough to read on every query, and limits the number of queries. */
const DATABASE_TERMS: LeaseTerms = { leaseMs: 10_000, renewAfterMs: Infinity, slots: 180 };
/** For stores where a query is almost free and waiting may be expensive. */
export const NEARBY_TERMS: LeaseTerms = { leaseMs: 25_000, renewAfterMs: 12_000, slots: 360 };
/** Limits up to this are leased one request at a time. */
const EXACT_UP_TO = 1_000;
const MAX_LEASE = 64;
/** The next lease is requested when less than this share of the current one is left. */
const LOW_PART = 1 / 4;
/** All replicas together lease at most 1/HELD_PART of the remaining allowance. */
const HELD_PART = 4;
/** Number of shared allowances for addresses that arrive while the table is full of active callers. */
const OVERFLOW_GROUPS = 1_024;

export function createSharedLimiter(options: SharedLimiterOptions): Limiter {
  const policies = createPolicies(options.settings);
  const share = Math.max(1, options.replicas);
  const fallback = createLocalLimiter({
    ...options.settings,
    freePerHour: Math.max(1, Math.floor(options.settings.freePerHour / share)),
    proPerHour: Math.max(1, Math.floor(options.settings.proPerHour / share)),
    waitlistPerHour: Math.max(1, Math.floor(options.settings.waitlistPerHour / share)),
  });
  // Idle entries can be evicted because their allowance is in the store.
  const callers = createSweptMap<SharedCaller>(options.settings.maxAddresses, (caller) => caller.isIdle());
  const groups = new Map<string, SharedCaller>();
  const store = new StoreWatch(options);
  let hadRoom = true;

  function open(
    among: typeof callers | typeof groups,
    id: string,
    policy: LimitPolicy,
    local: (nowTs: number) => LimitedCaller,
  ): SharedCaller {
    const known = among.get(id);
    if (known) return known;
    const caller = new SharedCaller(id, policy, options, store, local);
    among.set(id, caller);
    return caller;
  }

  function openAddress(among: typeof callers | typeof groups, address: string, allowance: Allowance) {
    const local = (nowTs: number) => fallback.forAddress(address, allowance, nowTs);
    return open(among, `${allowance}:${address}`, policies[allowance]!, local);
  }

  return {
    forKey(keyId: string, tier: Tier) {
      const policy = policies[tier];
      if (!policy) return null;
      const id = `key:${keyId}`;
      // Only issued keys get here, so their number is bounded and each gets an entry.
      if (!callers.get(id)) callers.makeRoom();
      return open(callers, id, policy, () => fallback.forKey(keyId, tier)!);
    },
    forAddress(address: string, allowance: Allowance) {
      const known = callers.get(`${allowance}:${address}`);
      if (known) return known;
      hadRoom = callers.makeRoom();
      if (hadRoom) return openAddress(callers, address, allowance);
      return openAddress(groups, `overflow ${hashLabel(address) % OVERFLOW_GROUPS}`, allowance);
    },
    describe: () => ({ callers: callers.size, overflowing: !hadRoom, isFallback: store.isAway }),
    async close() {
      store.stop();
      await Promise.all([...callers.values(), ...groups.values()].map((caller) => caller.end()));
    },
  };
}

class SharedCaller implements LimitedCaller {
  readonly policy: LimitPolicy;
  remaining: number;
  resetTs = 0;
  readonly #id: string;
  readonly #options: SharedLimiterOptions;
  readonly #store: StoreWatch;
  readonly #local: (nowTs: number) => LimitedCaller;
  readonly #window: { windowMs: number; slotMs: number };
  readonly #terms: LeaseTerms;
  #leased = 0;
  #leasedTs = 0;
  #leaseSize = 1;
  #refusedUntilTs = 0;
  /** Total used by all replicas as of the store's last response. */
  #seenUsed = 0;
  #seenTs = Number.NEGATIVE_INFINITY;
  #isOnShare = false;
  /** Granted from the local share and not yet recorded in the store. */
  #debt = 0;
  #asking: Promise<void> | null = null;
  /** Audits leased requests; the local share has a separate audit. */
  readonly #audit = new GrantAudit();

  constructor(
    id: string,
    policy: LimitPolicy,
    options: SharedLimiterOptions,
    store: StoreWatch,
    local: (nowTs: number) => LimitedCaller,
  ) {
    this.#id = id;
    this.policy = policy;
    this.#options = options;
    this.#store = store;
    this.#local = local;
    this.#terms = options.terms ?? DATABASE_TERMS;
    this.remaining = policy.limit;
    const { leaseMs, slots } = this.#terms;
    // The exact mode has one slot per millisecond; otherwise slots are wider and the window is one lease
    // longer.
    this.#window = this.#isExact
      ? { windowMs: policy.windowMs, slotMs: 1 }
      : { windowMs: policy.windowMs + leaseMs, slotMs: policy.windowMs / slots };
  }

  get #isExact(): boolean {
    return this.policy.limit <= EXACT_UP_TO;
  }

  take(nowTs: number): boolean | Promise<boolean> {
    if (this.#leased > 0 && nowTs - this.#leasedTs < this.#terms.leaseMs) {
      this.#use(nowTs);
      if (this.#asking === null && this.#isRunningOut(nowTs)) void this.#askAhead(nowTs);
      return true;
    }
    if (nowTs < this.#refusedUntilTs) return false;
    return this.#takeFromStore(nowTs);
  }

  /** Takes zero requests, to read the current total. */
  async hasRoom(nowTs: number): Promise<boolean> {
    if (nowTs < this.#refusedUntilTs) return false;
    if (this.#leased > 0) return true;
    if (this.#store.isAway) return this.#openShare(nowTs).hasRoom(nowTs);
    const { policy } = this;
    const store = this.#store;
    try {
      const seen = await store.allowances.take(this.#id, 0, policy.limit, { ...this.#window, nowTs });
      this.#noteSeen(nowTs, seen.used);
      if (seen.used + this.#countPending(nowTs) < policy.limit) return true;
      this.#noteRefusal(seen.nextFreeTs);
      return false;
    } catch (error) {
      this.#store.noteAway(error);
      return this.#openShare(nowTs).hasRoom(nowTs);
    }
  }

  isIdle(): boolean {
    const nowTs = this.#options.clock.now();
    return (
      this.#leased === 0 &&
      this.#asking === null &&
      this.#refusedUntilTs <= nowTs &&
      this.#countPending(nowTs) === 0
    );
  }

  /** Gives back prefetched requests too. */
  async end(): Promise<void> {
    await this.#asking;
    await this.giveBack();
  }

  async giveBack(): Promise<void> {
    // Usage in the last interval predicts the next.
    if (this.#leased > 0) this.#leaseSize = Math.max(1, this.#leaseSize - this.#leased);
    await this.#returnRest();
  }

  async #returnRest(): Promise<void> {
    const unused = this.#leased;
    if (unused === 0) return;
    this.#leased = 0;
    const window = { ...this.#window, takenTs: this.#leasedTs };
    // If the store is down, these requests are lost: the caller is refused slightly early, never granted
    // extra.
    await this.#store.allowances.giveBack(this.#id, unused, window).catch(() => {});
  }

  #isRunningOut(nowTs: number): boolean {
    if (this.#isExact || this.#store.isAway) return false;
    return this.#leased < this.#leaseSize * LOW_PART || nowTs - this.#leasedTs >= this.#terms.renewAfterMs;
  }

  /** Callers do not wait for this while the current lease has requests left. */
  async #askAhead(nowTs: number): Promise<void> {
    await this.#askInTurn(async () => {
      const isLow = this.#leased < this.#leaseSize * LOW_PART;
      const used = this.#leaseSize - this.#leased;
      const granted = await this.#ask(nowTs, isLow ? this.#leaseSize * 2 : used * 2);
      if (granted <= 0) return;
      // Not awaited: the store processes requests in order.
      void this.#returnRest();
      this.#hold(granted, nowTs);
    }).catch((error: unknown) => this.#store.noteAway(error));
  }

  async #takeFromStore(nowTs: number): Promise<boolean> {
    if (this.#store.isAway) return this.#takeLocally(nowTs);
    // One query at a time per caller; waiting requests check again afterwards.
    while (this.#asking) {
      await this.#asking;
      if (this.#leased > 0) {
        this.#use(nowTs);
        return true;
      }
      if (nowTs < this.#refusedUntilTs) return false;
      if (this.#store.isAway) return this.#takeLocally(nowTs);
    }
    try {
      return await this.#askInTurn(() => this.#lease(nowTs));
    } catch (error) {
      this.#store.noteAway(error);
      return this.#takeLocally(nowTs);
    }
  }

  async #askInTurn<T>(ask: () => Promise<T>): Promise<T> {
    const asking = Promise.withResolvers<void>();
    this.#asking = asking.promise;
    try {
      return await ask();
    } finally {
      this.#asking = null;
      asking.resolve();
    }
  }

  async #lease(nowTs: number): Promise<boolean> {
    const isUsedUp = this.#leased === 0 && nowTs - this.#leasedTs < this.#terms.leaseMs;
    void this.giveBack();
    const granted = await this.#ask(nowTs, isUsedUp ? this.#leaseSize * 2 : this.#leaseSize);
    if (granted <= 0) return false;
    this.#hold(granted, nowTs);
    this.#use(nowTs);
    return true;
  }

  /** Returns the number granted beyond the pending local grants; 0 or less if the allowance is used up. */
  async #ask(nowTs: number, wished: number): Promise<number> {
    this.#leaseSize = this.#chooseLeaseSize(wished);
    const { policy } = this;
    const grantedAlone = this.#debt;
    const pending = this.#countPending(nowTs);
    const window = { ...this.#window, nowTs };
    const taken = await this.#store.allowances.take(
      this.#id,
      this.#leaseSize + pending,
      policy.limit,
      window,
    );
    this.#debt -= grantedAlone;
    this.#noteSeen(nowTs, taken.used);
    this.remaining = Math.max(0, policy.limit - taken.used);
    this.resetTs = taken.nextFreeTs > nowTs ? taken.nextFreeTs + 1 : nowTs + policy.windowMs;
    const granted = taken.granted - pending;
    if (granted <= 0 && this.#leased === 0) this.#noteRefusal(taken.nextFreeTs);
    return granted;
  }

  #use(nowTs: number): void {
    this.#leased -= 1;
    this.#audit.note(this.policy, nowTs);
  }

  #hold(granted: number, nowTs: number): void {
    this.#leased = granted;
    this.#leasedTs = nowTs;
    if (granted > 0) this.#options.clock.after(this.#terms.leaseMs, () => void this.#giveBackIfOld());
  }

  #chooseLeaseSize(wished: number): number {
    if (this.#isExact) return 1;
    const fair = Math.floor(this.remaining / (HELD_PART * Math.max(1, this.#options.replicas)));
    return Math.max(1, Math.min(wished, fair, MAX_LEASE));
  }

  #noteRefusal(nextFreeTs: number): void {
    this.remaining = 0;
    this.resetTs = nextFreeTs + 1;
    this.#refusedUntilTs = nextFreeTs + 1;
  }

  async #giveBackIfOld(): Promise<void> {
    if (this.#options.clock.now() - this.#leasedTs >= this.#terms.leaseMs) await this.giveBack();
  }

  #noteSeen(nowTs: number, used: number): void {
    this.#seenUsed = used;
    this.#seenTs = nowTs;
    this.#isOnShare = false;
  }

  /** Local grants not yet in the store; those over an hour old no longer count. */
  #countPending(nowTs: number): number {
    if (this.#debt === 0) return 0;
    const local = this.#local(nowTs);
    void local.hasRoom(nowTs);
    return Math.min(this.#debt, local.policy.limit - local.remaining);
  }

  /** The local share starts with its part of the last known total already used, dated when we read it. */
  #openShare(nowTs: number): LimitedCaller {
    const local = this.#local(nowTs);
    if (this.#isOnShare) return local;
    this.#isOnShare = true;
    const part = Math.ceil((this.#seenUsed + this.#mayBeHeld()) / Math.max(1, this.#options.replicas));
    if (nowTs - this.#seenTs < this.policy.windowMs && local.hasRoom(this.#seenTs)) {
      while (local.policy.limit - local.remaining < part && local.take(this.#seenTs));
    }
    return local;
  }

  /** Upper bound on what other replicas leased since this replica's last query. */
  #mayBeHeld(): number {
    return this.#isExact ? 0 : (this.#options.replicas - 1) * MAX_LEASE;
  }

  async #takeLocally(nowTs: number): Promise<boolean> {
    const local = this.#openShare(nowTs);
    const isGranted = await local.take(nowTs);
    if (isGranted) this.#debt += 1;
    this.remaining = local.remaining;
    this.resetTs = local.resetTs;
    return isGranted;
  }
}
