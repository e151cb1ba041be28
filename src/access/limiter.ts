// Limits requests per caller in any rolling hour. Each caller has one handle that stores the result of its
// last decision, so that decisions allocate nothing.

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
  take(nowTs: number): boolean | Promise<boolean>;
  /** Whether a request would be granted now; does not use one. */
  hasRoom(nowTs: number): boolean | Promise<boolean>;
  /** Requests left after the last decision. */
  readonly remaining: number;
  /** When the oldest counted request expires and frees a slot. */
  readonly resetTs: number;
}

/** Allowances per address: requests, calls with a payment, and rejected payments. */
export type Allowance = 'meta' | 'other' | 'paid' | 'refused' | 'waitlist' | 'demo';

export interface Limiter {
  /** null if the tier has no limit. */
  forKey(keyId: string, tier: Tier): LimitedCaller | null;
  forAddress(address: string, allowance: Allowance, nowTs: number): LimitedCaller;
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
