// In-process limiter: exact for small limits, slotted for large ones, with a bounded number of callers.

import { HOUR_MS, MINUTE_MS } from '../domain/units.ts';
import { hashLabel } from '../runtime/random.ts';
import type { Tier } from '../store/ports.ts';
import type { AllowanceJournal } from './allowance-journal.ts';
import type { Allowance, LimitedCaller, Limiter, LimitPolicy, LimitSettings } from './limiter.ts';
import { createRollingWindow, type RollingWindow } from './rolling-window.ts';

type Windows = Map<string, RollingWindow>;

const OVERFLOW_GROUPS = 1_024;

/** With a journal, requests from before a restart still count. */
export function createLocalLimiter(
  settings: LimitSettings,
  journal: AllowanceJournal | null = null,
): Limiter {
  const policies = createPolicies(settings);
  const keyed: Windows = new Map();
  /** Nested maps, because a combined key would allocate a string per request. */
  const addresses: Record<Allowance, Windows> = {
    meta: new Map(),
    other: new Map(),
    paid: new Map(),
    refused: new Map(),
    waitlist: new Map(),
    demo: new Map(),
  };
  const overflow: Windows = new Map();
  let lastSweepTs = 0;

  const countAddresses = () => Object.values(addresses).reduce((sum, windows) => sum + windows.size, 0);

  /** Evicts only callers with no counted requests, so an active caller never gets a fresh allowance. */
  function sweep(nowTs: number): void {
    if (nowTs - lastSweepTs < MINUTE_MS && nowTs >= lastSweepTs) return;
    lastSweepTs = nowTs;
    for (const windows of Object.values(addresses))
      for (const [address, window] of windows) if (window.isIdle(nowTs)) windows.delete(address);
  }

  /** `prefix` plus `name` is the caller's name on disk. */
  function open(windows: Windows, prefix: string, name: string, policy: LimitPolicy): RollingWindow {
    let window = windows.get(name);
    if (!window) {
      window = createRollingWindow(policy, prefix + name, journal);
      windows.set(name, window);
    }
    return window;
  }

  return {
    forKey(keyId: string, tier: Tier): LimitedCaller | null {
      const policy = policies[tier];
      return policy ? open(keyed, 'key:', keyId, policy) : null;
    },
    forAddress(address: string, allowance: Allowance, nowTs: number): LimitedCaller {
      const known = addresses[allowance].get(address);
      if (known) return known;
      const policy = policies[allowance]!;
      if (countAddresses() >= settings.maxAddresses) sweep(nowTs);
      if (countAddresses() < settings.maxAddresses)
        return open(addresses[allowance], `${allowance}:`, address, policy);
      return open(overflow, 'overflow:', `${allowance}:${hashLabel(address) % OVERFLOW_GROUPS}`, policy);
    },
    describe: () => ({
      callers: keyed.size + countAddresses(),
      overflowing: countAddresses() >= settings.maxAddresses,
      isFallback: false,
    }),
    async close() {
      const all = [keyed, overflow, ...Object.values(addresses)];
      journal?.write(all.flatMap((windows) => [...windows.values()].flatMap((window) => window.giveBack())));
      journal?.close();
    },
  };
}

/** Policies by tier and by anonymous allowance; null if there is no limit. */
export function createPolicies(settings: LimitSettings): Record<Tier | Allowance, LimitPolicy | null> {
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
