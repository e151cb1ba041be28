// Limits requests per caller in any rolling hour. Each caller has one handle that stores the result of its
// last decision, so that decisions allocate nothing. Time is elapsed time (`steadyClock`), so that setting the
// clock neither grants extra requests nor extends a lockout; callers see times relative to the wall clock.

import { HOUR_MS, MINUTE_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { hashLabel } from '../runtime/random.ts';
import type { Tier } from '../store/ports.ts';

export interface LimitPolicy {
  /** Policy name in the RateLimit headers. */
  name: string;
  limit: number;
  windowMs: number;
}

export interface LimitedCaller {
  readonly policy: LimitPolicy;
  /** Uses one request; false when none is left. A shared limiter may return a promise. */
  take(): boolean | Promise<boolean>;
  /** Whether a request would be granted now; does not use one. */
  hasRoom(): boolean | Promise<boolean>;
  /** Requests left after the last decision. */
  readonly remaining: number;
  /** Time from the last decision until the oldest counted request expires and frees a slot. */
  readonly resetInMs: number;
}

/** Allowances per address: requests, calls with a payment, and rejected payments. */
export type Allowance = 'meta' | 'other' | 'paid' | 'refused' | 'waitlist' | 'demo';

export interface Limiter {
  /** null if the tier has no limit. */
  forKey(keyId: string, tier: Tier): LimitedCaller | null;
  forAddress(address: string, allowance: Allowance): LimitedCaller;
  /** Used by the metrics. */
  describe(): { callers: number; overflowing: boolean; isFallback: boolean };
  close(): Promise<void>;
}

export interface LimitSettings {
  freePerHour: number;
  proPerHour: number;
  waitlistPerHour: number;
  /** Maximum number of addresses tracked individually; others share allowances. */
  maxAddresses: number;
}

export const DEFAULT_LIMITS: LimitSettings = {
  freePerHour: 100,
  proPerHour: 10_000,
  waitlistPerHour: 10,
  maxAddresses: 50_000,
};

/** Up to this limit every request is counted exactly; above it, in slots. */
const EXACT_UP_TO = 1_000;

/** Slot length of a policy's windows, if an hour has `slots` slots. */
export function slotMsOf({ limit, windowMs }: LimitPolicy, slots: number): number {
  return limit <= EXACT_UP_TO ? 0 : windowMs / slots;
}

export interface TrackedCaller extends LimitedCaller {
  /** Whether forgetting the caller would lose nothing. */
  isIdle(): boolean;
}

type Callers<T> = Map<string, T>;

/** Number of allowances shared by the addresses that arrive while the table is full of active callers. */
const OVERFLOW_GROUPS = 1_024;

/** Finds or opens callers, with a bounded number of addresses. `open` gets a name that is unique. */
export function createCallerTable<T extends TrackedCaller>(
  settings: LimitSettings,
  clock: Clock,
  open: (name: string, policy: LimitPolicy) => T,
) {
  const policies = createPolicies(settings);
  const keyed: Callers<T> = new Map();
  /** Nested maps, because a combined key would allocate a string per request. */
  const addresses: Record<Allowance, Callers<T>> = {
    meta: new Map(),
    other: new Map(),
    paid: new Map(),
    refused: new Map(),
    waitlist: new Map(),
    demo: new Map(),
  };
  const overflow: Callers<T> = new Map();
  let sweptTs = Number.NEGATIVE_INFINITY;

  const countAddresses = () => Object.values(addresses).reduce((sum, callers) => sum + callers.size, 0);

  /** Evicts only idle callers, so an active caller never gets a fresh allowance. */
  function sweep(): void {
    const nowTs = clock.now();
    if (nowTs - sweptTs < MINUTE_MS) return;
    sweptTs = nowTs;
    for (const callers of Object.values(addresses))
      for (const [address, caller] of callers) if (caller.isIdle()) callers.delete(address);
  }

  function findOrOpen(callers: Callers<T>, prefix: string, name: string, policy: LimitPolicy): T {
    let caller = callers.get(name);
    if (!caller) {
      caller = open(`${prefix}:${name}`, policy);
      callers.set(name, caller);
    }
    return caller;
  }

  return {
    forKey(keyId: string, tier: Tier): T | null {
      const policy = policies[tier];
      return policy ? findOrOpen(keyed, 'key', keyId, policy) : null;
    },
    forAddress(address: string, allowance: Allowance): T {
      const known = addresses[allowance].get(address);
      if (known) return known;
      const policy = policies[allowance]!;
      if (countAddresses() >= settings.maxAddresses) sweep();
      if (countAddresses() < settings.maxAddresses)
        return findOrOpen(addresses[allowance], allowance, address, policy);
      return findOrOpen(overflow, 'overflow', `${allowance}:${hashLabel(address) % OVERFLOW_GROUPS}`, policy);
    },
    describe: () => ({
      callers: keyed.size + countAddresses(),
      overflowing: countAddresses() >= settings.maxAddresses,
    }),
    list: (): T[] =>
      [keyed, overflow, ...Object.values(addresses)].flatMap((callers) => [...callers.values()]),
  };
}

/** Policies by tier and by anonymous allowance; null if there is no limit. */
function createPolicies(settings: LimitSettings): Record<Tier | Allowance, LimitPolicy | null> {
  const hourly = (name: string, limit: number): LimitPolicy => ({ name, limit, windowMs: HOUR_MS });
  return {
    FREE: hourly('free', settings.freePerHour),
    PRO: hourly('pro', settings.proPerHour),
    INTERNAL: null,
    meta: hourly('public-meta', settings.freePerHour),
    other: hourly('public', settings.freePerHour),
    paid: hourly('paid', settings.proPerHour),
    refused: hourly('refused-payments', settings.freePerHour),
    waitlist: hourly('waitlist', settings.waitlistPerHour),
    demo: hourly('demo-key', settings.freePerHour),
  };
}

const fixedLines = new WeakMap<LimitPolicy, string>();

/** Rate-limit headers of a response to a request that was decided at `nowTs` by the wall clock. */
export function rateLines({ policy, remaining, resetInMs }: LimitedCaller, nowTs: number): string {
  const resetS = Math.ceil((nowTs + resetInMs) / 1000);
  return `${fixed(policy)}${remaining};t=${wholeSeconds(resetInMs)}\r\nX-RateLimit-Remaining: ${remaining}\r\nX-RateLimit-Reset: ${resetS}\r\n`;
}

/** Rounded up, and at least one. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** The constant part, up to where the remaining count is inserted. */
function fixed(policy: LimitPolicy): string {
  let lines = fixedLines.get(policy);
  if (lines === undefined) {
    const windowS = policy.windowMs / 1000;
    lines = `X-RateLimit-Limit: ${policy.limit}\r\nRateLimit-Policy: "${policy.name}";q=${policy.limit};w=${windowS}\r\nRateLimit: "${policy.name}";r=`;
    fixedLines.set(policy, lines);
  }
  return lines;
}
