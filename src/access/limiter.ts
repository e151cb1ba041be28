// How much a caller may ask for in any rolling hour. One handle per caller; the numbers behind the last
// verdict are read from the handle, so that a verdict allocates nothing.

import type { Tier } from '../store/ports.ts';

export interface LimitPolicy {
  /** Name in the RateLimit headers. */
  name: string;
  limit: number;
  windowMs: number;
}

export interface LimitedCaller {
  readonly policy: LimitPolicy;
  /** Uses up one request; false when none is left. A shared limiter may have to ask, and promises. */
  take(nowTs: number): boolean | Promise<boolean>;
  /** Whether one would fit now; uses up nothing. */
  hasRoom(nowTs: number): boolean | Promise<boolean>;
  /** Requests left after the last verdict. */
  readonly remaining: number;
  /** When the oldest counted request stops counting, so that one more fits. */
  readonly resetTs: number;
}

/** Allowances by address: what is asked for, calls that carry a payment, and payments that were refused. */
export type Allowance = 'meta' | 'other' | 'paid' | 'refused' | 'waitlist' | 'demo';

export interface Limiter {
  /** null where the tier has no limit. */
  forKey(keyId: string, tier: Tier): LimitedCaller | null;
  forAddress(address: string, allowance: Allowance, nowTs: number): LimitedCaller;
  /** For the metrics. */
  describe(): { callers: number; overflowing: boolean; isFallback: boolean };
  close(): Promise<void>;
}

export interface LimitSettings {
  freePerHour: number;
  proPerHour: number;
  waitlistPerHour: number;
  /** Addresses remembered at once; beyond it newcomers share allowances rather than escape them. */
  maxAddresses: number;
}

export const DEFAULT_LIMITS: LimitSettings = {
  freePerHour: 100,
  proPerHour: 10_000,
  waitlistPerHour: 10,
  maxAddresses: 50_000,
};
