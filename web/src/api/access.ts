// The caller's key, stored only in this tab (sessionStorage), and the remaining allowance.

import type { Tier } from './records.ts';

const KEY_NAME = 'tallycast-key';

export interface Allowance {
  limit: number;
  remaining: number;
  resetTs: number;
}

export interface Access {
  key: string | null;
  tier: Tier;
  /** True once the service has rejected the key. */
  refused: boolean;
  /** Requests for public counters have a separate allowance. */
  allowances: Partial<Record<AllowanceName, Allowance>>;
}

export type AllowanceName = 'counters' | 'other';

let access: Access = createAccess(recall(KEY_NAME));
const listeners = new Set<() => void>();

function createAccess(key: string | null): Access {
  return { key, tier: guessTier(key), refused: false, allowances: {} };
}

export function getAccess(): Access {
  return access;
}

export function subscribeAccess(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setKey(key: string | null): void {
  const trimmed = key?.trim() || null;
  remember(KEY_NAME, trimmed);
  publish(createAccess(trimmed));
}

export function markRefused(): void {
  if (access.key && !access.refused) publish({ ...access, refused: true, tier: 'FREE' });
}

/** The tier reported by the service overrides the one suggested by the key's prefix. */
export function confirmTier(served: Tier): void {
  // After a rejection, calls carry no key, so the view that they get says nothing about it.
  if (access.refused) return;
  // The stream reports which view it serves; INTERNAL callers get the PRO view.
  const tier = served === 'PRO' && guessTier(access.key) === 'INTERNAL' ? 'INTERNAL' : served;
  if (access.tier !== tier) publish({ ...access, tier });
}

export function noteAllowance(path: string, headers: Headers): void {
  const limit = readNumber(headers, 'x-ratelimit-limit');
  const remaining = readNumber(headers, 'x-ratelimit-remaining');
  const reset = readNumber(headers, 'x-ratelimit-reset');
  if (limit === null || remaining === null) return;
  const name: AllowanceName = !access.key && /^\/meta\/[^/]+$/.test(path) ? 'counters' : 'other';
  const allowance = { limit, remaining, resetTs: (reset ?? 0) * 1000 };
  publish({ ...access, allowances: { ...access.allowances, [name]: allowance } });
}

export function authHeaders(): Record<string, string> {
  return access.key && !access.refused ? { 'x-api-key': access.key } : {};
}

export function isPro(tier: Tier): boolean {
  return tier === 'PRO' || tier === 'INTERNAL';
}

function publish(next: Access): void {
  access = next;
  for (const listener of listeners) listener();
}

function guessTier(key: string | null): Tier {
  if (key?.startsWith('tc_int_')) return 'INTERNAL';
  return key?.startsWith('tc_pro_') ? 'PRO' : 'FREE';
}

function readNumber(headers: Headers, name: string): number | null {
  const text = headers.get(name);
  return text === null || Number.isNaN(Number(text)) ? null : Number(text);
}

/** For this tab only; null also if the browser blocks storage. */
export function recall(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** null forgets. */
export function remember(name: string, value: string | null): void {
  try {
    if (value) sessionStorage.setItem(name, value);
    else sessionStorage.removeItem(name);
  } catch {
    // If storage is blocked, the value lasts only for this page view.
  }
}
