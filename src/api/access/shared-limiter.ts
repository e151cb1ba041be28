// One allowance for all replicas, kept in the store. A caller's requests are taken from it in small leases:
// one at a time for small limits, which is exact, and else as many as the caller is about to use, so that most requests wait
// for nobody; fewer as the allowance nears its end, so that no replica keeps what another could give. What a lease does
// not use up within LEASE_MS is given back; a lease counts until its last possible use has left the window, so replicas
// together never pass the limit.
// While the store is away, or takes longer than a caller should wait, each replica enforces its own share of what, as far
// as it knows, was left; what it grants meanwhile is taken from the store when that is back. Nobody waits for that: one
// question in the background asks whether it is.

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { hashLabel } from '../../runtime/random.ts';
import type { AllowanceStore, Tier } from '../../store/ports.ts';
import { createDeadline } from '../load/deadline.ts';
import type { Allowance, LimitedCaller, Limiter, LimitPolicy, LimitSettings } from './limiter.ts';
import { createLocalLimiter, createPolicies } from './local-limiter.ts';
import { createSweptMap } from './swept-map.ts';

export interface SharedLimiterOptions {
  settings: LimitSettings;
  allowances: AllowanceStore;
  /** How many processes share the work; the share of each when the store is away. */
  replicas: number;
  clock: Clock;
  logger: Logger;
  /** A store that has not answered by then is away. */
  answerWithinMs?: number;
}

/** A lease never outlives this, so it is also how much later than taken a request may happen. */
const LEASE_MS = 10_000;
/** Limits up to this are leased one by one. */
const EXACT_UP_TO = 1_000;
const MAX_LEASE = 64;
/** Of a window: with the lease it is at most one percent late, and the row is short enough to be read at every question. */
const SLOTS = 180;
/** Of what is left, all replicas together hold at most one part in so many. */
const HELD_PART = 4;
/** More than a database takes, and less than a caller notices. */
const ANSWER_WITHIN_MS = 300;
/** Pause before it is asked whether it is back. */
const RETRY_STORE_MS = 1_000;
const PROBE = 'probe';
/** Among so many the addresses share allowances that come while every place is taken by a caller with something in hand. */
const OVERFLOW_GROUPS = 1_024;

/** What all callers know of the store. */
class StoreWatch {
  isAway = false;
  readonly allowances: AllowanceStore;
  readonly #options: SharedLimiterOptions;
  #cancelProbe = () => {};

  constructor(options: SharedLimiterOptions) {
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
    logger.warn(
      { error: errorMessage(error) },
      'the shared limiter is away; each replica enforces its share',
    );
    this.#probeLater();
  }

  stop(): void {
    this.#cancelProbe();
  }

  #probeLater(): void {
    this.#cancelProbe = this.#options.clock.after(RETRY_STORE_MS, () => void this.#probe());
  }

  /** Without a deadline of its own: while one question is open, no other is asked. */
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

export function createSharedLimiter(options: SharedLimiterOptions): Limiter {
  const policies = createPolicies(options.settings);
  const share = Math.max(1, options.replicas);
  const fallback = createLocalLimiter({
    ...options.settings,
    freePerHour: Math.max(1, Math.floor(options.settings.freePerHour / share)),
    proPerHour: Math.max(1, Math.floor(options.settings.proPerHour / share)),
    waitlistPerHour: Math.max(1, Math.floor(options.settings.waitlistPerHour / share)),
  });
  // Idle ones may be forgotten: their allowance lives in the store.
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
      // There are as many keys as were issued: they always find a place.
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
      await Promise.all([...callers.values(), ...groups.values()].map((caller) => caller.giveBack()));
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
  #leased = 0;
  #leasedTs = 0;
  #leaseSize = 1;
  #refusedUntilTs = 0;
  /** What all replicas together had used when the store last told. */
  #seenUsed = 0;
  #seenTs = Number.NEGATIVE_INFINITY;
  #isOnShare = false;
  /** Granted from the own share; the store does not know of it yet. */
  #owed = 0;
  #asking: Promise<void> | null = null;

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
    this.remaining = policy.limit;
    const isExact = policy.limit <= EXACT_UP_TO;
    // Exact: each request is its own millisecond. Otherwise slots, and the window is longer by a lease.
    this.#window = isExact
      ? { windowMs: policy.windowMs, slotMs: 1 }
      : { windowMs: policy.windowMs + LEASE_MS, slotMs: policy.windowMs / SLOTS };
  }

  take(nowTs: number): boolean | Promise<boolean> {
    if (this.#leased > 0 && nowTs - this.#leasedTs < LEASE_MS) {
      this.#leased -= 1;
      return true;
    }
    if (nowTs < this.#refusedUntilTs) return false;
    return this.#takeFromStore(nowTs);
  }

  /** Asks for none, and so learns how many are used up. */
  async hasRoom(nowTs: number): Promise<boolean> {
    if (nowTs < this.#refusedUntilTs) return false;
    if (this.#leased > 0) return true;
    if (this.#store.isAway) return this.#openShare(nowTs).hasRoom(nowTs);
    const { policy } = this;
    const store = this.#store;
    try {
      const seen = await store.allowances.take(this.#id, 0, policy.limit, { ...this.#window, nowTs });
      this.#noteSeen(nowTs, seen.used);
      if (seen.used + this.#countOwed(nowTs) < policy.limit) return true;
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
      this.#countOwed(nowTs) === 0
    );
  }

  async giveBack(): Promise<void> {
    const unused = this.#leased;
    if (unused === 0) return;
    this.#leased = 0;
    // What it used in that time is what it is likely to use in the next.
    this.#leaseSize = Math.max(1, this.#leaseSize - unused);
    const window = { ...this.#window, takenTs: this.#leasedTs };
    // Lost when the store is away: the caller is refused a little early, never let through.
    await this.#store.allowances.giveBack(this.#id, unused, window).catch(() => {});
  }

  async #takeFromStore(nowTs: number): Promise<boolean> {
    if (this.#store.isAway) return this.#takeLocally(nowTs);
    // One question at a time per caller; those who waited look again at what came of it.
    while (this.#asking) {
      await this.#asking;
      if (this.#leased > 0) {
        this.#leased -= 1;
        return true;
      }
      if (nowTs < this.#refusedUntilTs) return false;
      if (this.#store.isAway) return this.#takeLocally(nowTs);
    }
    const asking = Promise.withResolvers<void>();
    this.#asking = asking.promise;
    try {
      return await this.#lease(nowTs);
    } catch (error) {
      this.#store.noteAway(error);
      return this.#takeLocally(nowTs);
    } finally {
      this.#asking = null;
      asking.resolve();
    }
  }

  async #lease(nowTs: number): Promise<boolean> {
    const isUsedUp = this.#leased === 0 && nowTs - this.#leasedTs < LEASE_MS;
    // Not waited for: the store takes orders as they come.
    void this.giveBack();
    this.#leaseSize = this.#chooseLeaseSize(isUsedUp ? this.#leaseSize * 2 : this.#leaseSize);
    const { policy } = this;
    const options = this.#options;
    const store = this.#store;
    const grantedAlone = this.#owed;
    const owed = this.#countOwed(nowTs);
    const taken = await store.allowances.take(this.#id, this.#leaseSize + owed, policy.limit, {
      ...this.#window,
      nowTs,
    });
    this.#owed -= grantedAlone;
    this.#noteSeen(nowTs, taken.used);
    this.remaining = Math.max(0, policy.limit - taken.used);
    this.resetTs = taken.nextFreeTs > nowTs ? taken.nextFreeTs + 1 : nowTs + policy.windowMs;
    const granted = taken.granted - owed;
    if (granted <= 0) {
      this.#noteRefusal(taken.nextFreeTs);
      return false;
    }
    this.#leased = granted - 1;
    this.#leasedTs = nowTs;
    if (this.#leased > 0) options.clock.after(LEASE_MS, () => void this.#giveBackIfOld());
    return true;
  }

  #chooseLeaseSize(wished: number): number {
    if (this.policy.limit <= EXACT_UP_TO) return 1;
    const fair = Math.floor(this.remaining / (HELD_PART * Math.max(1, this.#options.replicas)));
    return Math.max(1, Math.min(wished, fair, MAX_LEASE));
  }

  #noteRefusal(nextFreeTs: number): void {
    this.remaining = 0;
    this.resetTs = nextFreeTs + 1;
    this.#refusedUntilTs = nextFreeTs + 1;
  }

  async #giveBackIfOld(): Promise<void> {
    if (this.#options.clock.now() - this.#leasedTs >= LEASE_MS) await this.giveBack();
  }

  #noteSeen(nowTs: number, used: number): void {
    this.#seenUsed = used;
    this.#seenTs = nowTs;
    this.#isOnShare = false;
  }

  /** What was granted more than an hour ago is owed no more. */
  #countOwed(nowTs: number): number {
    if (this.#owed === 0) return 0;
    const local = this.#local(nowTs);
    void local.hasRoom(nowTs);
    return Math.min(this.#owed, local.policy.limit - local.remaining);
  }

  /** The own share begins with its part of what was already used, as if used when that was last seen. */
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

  /** By the other replicas, leased since this one last asked. */
  #mayBeHeld(): number {
    return this.policy.limit <= EXACT_UP_TO ? 0 : (this.#options.replicas - 1) * MAX_LEASE;
  }

  async #takeLocally(nowTs: number): Promise<boolean> {
    const local = this.#openShare(nowTs);
    const isGranted = await local.take(nowTs);
    if (isGranted) this.#owed += 1;
    this.remaining = local.remaining;
    this.resetTs = local.resetTs;
    return isGranted;
  }
}
