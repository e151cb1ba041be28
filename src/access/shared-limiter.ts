// Limiter with one allowance per caller across all replicas, held in the store.
//
// Replicas take a caller's requests in leases: for small limits only what waits at the moment, which is exact;
// otherwise as many as the caller will probably use, so that most requests need no round trip. Leases shrink
// as the allowance runs out, so that no replica holds requests that another needs, and unused requests are
// given back. A lease counts until its last possible use has left the window, so replicas together never
// exceed the limit.
//
// While the store is down or slow, each replica grants its share of what was left and reports it to the store
// later. Requests never wait for such a store: one background query checks whether it is back.

import { type Clock, createDeadline } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { AllowanceStore } from '../store/ports.ts';
import {
  createCallerTable,
  type Limiter,
  type LimitPolicy,
  type LimitSettings,
  slotMsOf,
  type TrackedCaller,
} from './limiter.ts';
import { RollingWindow } from './rolling-window.ts';

export interface SharedLimiterOptions {
  settings: LimitSettings;
  allowances: AllowanceStore;
  /** Number of processes; each grants this fraction of the limit while the store is down. */
  replicas: number;
  clock: Clock;
  logger: Logger;
}

/** Longer than a healthy database takes, shorter than a caller would notice. */
const ANSWER_WITHIN_MS = 300;
/** Pause between checks of a store that is down. */
const RETRY_STORE_MS = 1_000;
/** Maximum lifetime of a lease; its requests cannot be used after that. */
const LEASE_MS = 10_000;
/** Slots per hour for large limits; slot and lease together delay expiry by at most 1%. */
const SLOTS = 180;
const MAX_LEASE = 64;
/** All replicas together lease at most 1/HELD_PART of the remaining allowance. */
const HELD_PART = 4;

export function createSharedLimiter(options: SharedLimiterOptions): Limiter {
  const store = watchStore(options);
  const callers = createCallerTable(
    options.settings,
    options.clock,
    (name, policy) => new SharedCaller(name, policy, store, options),
  );
  return {
    ...callers,
    describe: () => ({ ...callers.describe(), isFallback: store.isAway }),
    async close() {
      store.stop();
      await Promise.all(callers.list().map((caller) => caller.end()));
    },
  };
}

interface WatchedStore {
  isAway: boolean;
  within<T>(work: Promise<T>): Promise<T>;
  noteAway(error: unknown): void;
  stop(): void;
}

/** Tracks whether the store responds. */
function watchStore({ allowances, clock, logger }: SharedLimiterOptions): WatchedStore {
  let cancelProbe = () => {};

  /** Needs no deadline, because only one probe is open at a time. */
  async function probe(): Promise<void> {
    try {
      await allowances.take('probe', 0, 1, { windowMs: 1, slotMs: 1, nowTs: clock.now() });
      store.isAway = false;
    } catch {
      probeLater();
    }
  }

  function probeLater(): void {
    cancelProbe = clock.after(RETRY_STORE_MS, () => void probe());
  }

  const store: WatchedStore = {
    isAway: false,
    within: createDeadline(clock, ANSWER_WITHIN_MS),
    noteAway(error) {
      if (store.isAway) return;
      store.isAway = true;
      logger.warn({ error: errorMessage(error) }, 'shared limiter down; enforcing per-replica shares');
      probeLater();
    },
    stop: () => cancelProbe(),
  };
  return store;
}

class SharedCaller implements TrackedCaller {
  readonly policy: LimitPolicy;
  remaining: number;
  resetInMs = 0;
  readonly #name: string;
  readonly #store: WatchedStore;
  readonly #options: SharedLimiterOptions;
  readonly #isExact: boolean;
  readonly #window: { windowMs: number; slotMs: number };
  #leased = 0;
  #leasedTs = 0;
  #leaseSize = 1;
  #refusedUntilTs = Number.NEGATIVE_INFINITY;
  /** Total used by all replicas as of the store's last response. */
  #seenUsed = 0;
  #seenTs = Number.NEGATIVE_INFINITY;
  #resetTs = 0;
  /** Granted while the store was down, and not reported to it yet. */
  readonly #alone: RollingWindow;
  #asking: Promise<void> | null = null;
  /** Requests that wait for the store. */
  #waiting = 0;

  constructor(name: string, policy: LimitPolicy, store: WatchedStore, options: SharedLimiterOptions) {
    const slotMs = slotMsOf(policy, SLOTS);
    this.#name = name;
    this.policy = policy;
    this.remaining = policy.limit;
    this.#store = store;
    this.#options = options;
    this.#isExact = slotMs === 0;
    this.#window = this.#isExact
      ? { windowMs: policy.windowMs, slotMs: 1 }
      : { windowMs: policy.windowMs + LEASE_MS, slotMs };
    this.#alone = new RollingWindow(policy.windowMs, slotMs);
  }

  take(): boolean | Promise<boolean> {
    return this.#decide() ?? this.#takeFromStore();
  }

  async hasRoom(): Promise<boolean> {
    while (this.#asking) await this.#asking;
    const nowTs = this.#options.clock.now();
    if (!this.#holdsLease(nowTs) && nowTs >= this.#refusedUntilTs && !this.#store.isAway)
      await this.#askOnce(0);
    if (this.#store.isAway) return this.#alone.countAt(nowTs) < this.#aloneLimit(nowTs);
    this.#show(nowTs);
    return this.#holdsLease(nowTs) || nowTs >= this.#refusedUntilTs;
  }

  isIdle(): boolean {
    const nowTs = this.#options.clock.now();
    return (
      this.#leased === 0 &&
      this.#asking === null &&
      nowTs >= this.#refusedUntilTs &&
      this.#alone.countAt(nowTs) === 0
    );
  }

  async end(): Promise<void> {
    await this.#asking;
    await this.#giveBack();
  }

  /** Decides without the store; null if the decision needs it. */
  #decide(): boolean | null {
    const nowTs = this.#options.clock.now();
    const isLeased = this.#holdsLease(nowTs);
    if (!isLeased && nowTs >= this.#refusedUntilTs) return this.#store.isAway ? this.#takeAlone(nowTs) : null;
    if (isLeased) this.#leased -= 1;
    this.#show(nowTs);
    return isLeased;
  }

  /** One query at a time per caller; requests that waited for it check again. */
  async #takeFromStore(): Promise<boolean> {
    this.#waiting += 1;
    try {
      for (;;) {
        await (this.#asking ?? this.#askOnce(this.#chooseLease()));
        const decided = this.#decide();
        if (decided !== null) return decided;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  #askOnce(wanted: number): Promise<void> {
    this.#asking = this.#ask(wanted).finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Also reports what was granted while the store was down. */
  async #ask(wanted: number): Promise<void> {
    const { allowances, clock } = this.#options;
    const { limit, windowMs } = this.policy;
    void this.#giveBack();
    const nowTs = clock.now();
    const pending = this.#alone.countAt(nowTs);
    try {
      const window = { ...this.#window, nowTs };
      const taken = await this.#store.within(allowances.take(this.#name, wanted + pending, limit, window));
      this.#alone.clear();
      this.#seenUsed = taken.used;
      this.#seenTs = nowTs;
      this.#resetTs = taken.nextFreeTs > nowTs ? taken.nextFreeTs + 1 : nowTs + windowMs;
      const granted = taken.granted - pending;
      if (granted > 0) this.#hold(granted, nowTs);
      else if (wanted > 0 || taken.used >= limit) this.#refusedUntilTs = this.#resetTs;
    } catch (error) {
      this.#store.noteAway(error);
    }
  }

  /** Doubles the lease if the last one was used up before it expired. */
  #chooseLease(): number {
    if (this.#isExact) return this.#waiting;
    const { clock, replicas } = this.#options;
    const isUsedUp = this.#leased === 0 && clock.now() - this.#leasedTs < LEASE_MS;
    const fair = Math.floor((this.policy.limit - this.#seenUsed) / (HELD_PART * replicas));
    this.#leaseSize = Math.max(
      1,
      Math.min(isUsedUp ? this.#leaseSize * 2 : this.#leaseSize, fair, MAX_LEASE),
    );
    return this.#leaseSize;
  }

  #holdsLease(nowTs: number): boolean {
    return this.#leased > 0 && nowTs - this.#leasedTs < LEASE_MS;
  }

  #hold(granted: number, nowTs: number): void {
    const { clock } = this.#options;
    this.#leased = granted;
    this.#leasedTs = nowTs;
    if (this.#isExact) return;
    clock.after(LEASE_MS, () => {
      if (clock.now() - this.#leasedTs >= LEASE_MS) void this.#giveBack();
    });
  }

  async #giveBack(): Promise<void> {
    const unused = this.#leased;
    if (unused === 0) return;
    this.#leased = 0;
    const window = { ...this.#window, takenTs: this.#leasedTs };
    try {
      await this.#store.within(this.#options.allowances.giveBack(this.#name, unused, window));
    } catch (error) {
      this.#store.noteAway(error);
    }
  }

  #takeAlone(nowTs: number): boolean {
    const room = this.#aloneLimit(nowTs) - this.#alone.countAt(nowTs);
    if (room > 0) this.#alone.add(nowTs);
    this.remaining = Math.max(0, room - 1);
    const hasAlone = this.#alone.countAt(nowTs) > 0;
    this.resetInMs = (hasAlone ? this.#alone.nextFreeTs(nowTs) : this.#seenTs + this.policy.windowMs) - nowTs;
    return room > 0;
  }

  /** This replica's share of what the store's last response left, less what others may have leased since. */
  #aloneLimit(nowTs: number): number {
    const { limit, windowMs } = this.policy;
    const replicas = Math.max(1, this.#options.replicas);
    if (nowTs - this.#seenTs >= windowMs) return Math.max(1, Math.floor(limit / replicas));
    const held = this.#isExact ? 0 : (replicas - 1) * MAX_LEASE;
    return Math.floor((limit - this.#seenUsed - held) / replicas);
  }

  #show(nowTs: number): void {
    this.remaining = Math.max(0, this.policy.limit - this.#seenUsed + this.#leased);
    this.resetInMs = this.#resetTs - nowTs;
  }
}
