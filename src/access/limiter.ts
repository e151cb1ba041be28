// Limits requests per caller in any rolling hour: one window per caller, in memory. Each caller has one handle that
// stores the result of its last decision, so that decisions allocate nothing. Time is elapsed time (`steadyClock`),
// so that setting the clock neither grants extra requests nor extends a lockout; callers see times relative to the
// wall clock.

import { HOUR_MS, MINUTE_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Tier } from '../store/ports.ts';
import { RollingWindow, type WindowEntry } from './rolling-window.ts';

export interface LimitPolicy {
  /** Policy name in the RateLimit headers. */
  name: string;
  limit: number;
  windowMs: number;
}

/** Allowances per address: requests, calls with a payment, and rejected payments. */
export type Allowance = 'meta' | 'other' | 'paid' | 'refused' | 'waitlist' | 'demo';

export interface LimitSettings {
  freePerHour: number;
  proPerHour: number;
  waitlistPerHour: number;
  /** Maximum number of addresses tracked individually; the others share one allowance. */
  maxAddresses: number;
}

export const DEFAULT_LIMITS: LimitSettings = {
  freePerHour: 100,
  proPerHour: 10_000,
  waitlistPerHour: 10,
  maxAddresses: 50_000,
};

/** Up to this limit every request is counted exactly; above it, in slots that delay a request by at most 0.6%. */
const EXACT_UP_TO = 1_000;
const SLOTS = 180;

export class LimitedCaller {
  /** Unique among the callers of a limiter. */
  readonly name: string;
  readonly policy: LimitPolicy;
  /** Requests left after the last decision. */
  remaining: number;
  /** Time from the last decision until the oldest counted request expires and frees a slot. */
  resetInMs = 0;
  /** Whether requests were granted that have not been saved. */
  isUnsaved = false;
  readonly #clock: Clock;
  readonly #own: RollingWindow;
  /** What other processes granted, and this one before it was restarted. */
  readonly #others = new Map<string, RollingWindow>();

  constructor(name: string, policy: LimitPolicy, clock: Clock) {
    this.name = name;
    this.policy = policy;
    this.remaining = policy.limit;
    this.#clock = clock;
    this.#own = this.#openWindow();
  }

  /** Uses one request; false when none is left. */
  take(): boolean {
    const nowTs = this.#clock.now();
    const isGranted = this.#countAt(nowTs) < this.policy.limit;
    if (isGranted) {
      this.#own.add(nowTs);
      this.isUnsaved = true;
    }
    this.#show(nowTs);
    return isGranted;
  }

  /** Whether a request would be granted now; does not use one. */
  hasRoom(): boolean {
    this.#show(this.#clock.now());
    return this.remaining > 0;
  }

  /** Whether forgetting the caller would lose nothing. */
  isIdle(): boolean {
    return this.#countAt(this.#clock.now()) === 0;
  }

  /** What this process granted. */
  listOwn(): WindowEntry[] {
    return this.#own.listAt(this.#clock.now());
  }

  /** Replaces what another process granted. */
  putOther(process: string, entries: readonly WindowEntry[]): void {
    const window = this.#openWindow();
    for (const [expiresTs, requests] of entries) window.put(expiresTs, requests);
    this.#others.set(process, window);
  }

  #openWindow(): RollingWindow {
    const { limit, windowMs } = this.policy;
    return new RollingWindow(windowMs, limit <= EXACT_UP_TO ? 0 : windowMs / SLOTS);
  }

  #countAt(nowTs: number): number {
    let used = this.#own.countAt(nowTs);
    for (const [process, window] of this.#others) {
      const theirs = window.countAt(nowTs);
      if (theirs === 0) this.#others.delete(process);
      used += theirs;
    }
    return used;
  }

  /** Other processes and a lowered limit can leave less than nothing. */
  #show(nowTs: number): void {
    this.remaining = Math.max(0, this.policy.limit - this.#countAt(nowTs));
    let freeTs = this.#own.nextFreeTs(nowTs);
    for (const window of this.#others.values()) freeTs = Math.min(freeTs, window.nextFreeTs(nowTs));
    this.resetInMs = freeTs - nowTs;
  }
}

export interface Limiter {
  /** null if the tier has no limit. */
  forKey(keyId: string, tier: Tier): LimitedCaller | null;
  forAddress(address: string, allowance: Allowance): LimitedCaller;
  /** By its name in another process; undefined if there is no room for it. */
  findOrOpen(name: string): LimitedCaller | undefined;
  list(): LimitedCaller[];
  countCallers(): number;
}

type Callers = Map<string, LimitedCaller>;

export function createLimiter(settings: LimitSettings, clock: Clock): Limiter {
  const policies = createPolicies(settings);
  /** Nested maps, because a combined key would allocate a string per request. */
  const callers = Object.fromEntries(Object.keys(policies).map((kind) => [kind, new Map()])) as Record<
    Tier | Allowance,
    Callers
  >;
  const addressed = ALLOWANCES.map((allowance) => callers[allowance]);
  let sweptTs = Number.NEGATIVE_INFINITY;

  const countAddresses = () => addressed.reduce((sum, { size }) => sum + size, 0);

  /** Forgets only idle callers, so an active caller never gets a fresh allowance. */
  function hasRoom(): boolean {
    if (countAddresses() < settings.maxAddresses) return true;
    const nowTs = clock.now();
    if (nowTs - sweptTs < MINUTE_MS) return false;
    sweptTs = nowTs;
    for (const each of addressed)
      for (const [address, caller] of each) if (caller.isIdle()) each.delete(address);
    return countAddresses() < settings.maxAddresses;
  }

  function open(kind: Tier | Allowance, id: string): LimitedCaller {
    const caller = new LimitedCaller(`${kind}:${id}`, policies[kind]!, clock);
    callers[kind].set(id, caller);
    return caller;
  }

  return {
    forKey: (keyId, tier) =>
      policies[tier] === null ? null : (callers[tier].get(keyId) ?? open(tier, keyId)),
    forAddress(address, allowance) {
      const known = callers[allowance].get(address);
      if (known) return known;
      if (hasRoom()) return open(allowance, address);
      return callers[allowance].get(REST) ?? open(allowance, REST);
    },
    findOrOpen(name) {
      const mark = name.indexOf(':');
      const kind = name.slice(0, mark) as Tier | Allowance;
      const id = name.slice(mark + 1);
      const known = callers[kind]?.get(id);
      if (known || !policies[kind]) return known;
      return isAllowance(kind) && !hasRoom() ? undefined : open(kind, id);
    },
    list: () => Object.values(callers).flatMap((each) => [...each.values()]),
    countCallers: () => Object.values(callers).reduce((sum, { size }) => sum + size, 0),
  };
}

const ALLOWANCES: readonly Allowance[] = ['meta', 'other', 'paid', 'refused', 'waitlist', 'demo'];
const isAllowance = (kind: string) => (ALLOWANCES as readonly string[]).includes(kind);
/** The addresses that arrive while the table is full of active callers. */
const REST = 'rest';

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
