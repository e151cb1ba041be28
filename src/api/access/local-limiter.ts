// The limiter of one process: exact for small limits, slotted for large ones, bounded in callers.

import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { hashLabel } from '../../runtime/random.ts';
import type { Tier } from '../../store/ports.ts';
import type { AllowanceJournal, UseLine } from './allowance-journal.ts';
import type { Allowance, LimitedCaller, Limiter, LimitPolicy, LimitSettings } from './limiter.ts';
import { createRollingWindow, type RollingWindow } from './rolling-window.ts';

const OVERFLOW_GROUPS = 1_024;

const PREFIX: Record<Allowance, string> = {
  meta: 'meta:',
  other: 'other:',
  paid: 'paid:',
  refused: 'refused:',
  waitlist: 'waitlist:',
};

/** With a journal, what was used before this start still counts. */
export function createLocalLimiter(
  settings: LimitSettings,
  journal: AllowanceJournal | null = null,
): Limiter {
  const policies = createPolicies(settings);
  const keyed = new Map<string, RollingWindow>();
  const addresses = new Map<string, RollingWindow>();
  const overflow = new Map<string, RollingWindow>();
  let lastSweepTs = 0;

  /** Only callers with nothing left to count are forgotten; a live one never gets a fresh allowance. */
  function sweep(nowTs: number): void {
    if (nowTs - lastSweepTs < MINUTE_MS && nowTs >= lastSweepTs) return;
    lastSweepTs = nowTs;
    for (const [id, window] of addresses) if (window.isIdle(nowTs)) addresses.delete(id);
  }

  function open(windows: Map<string, RollingWindow>, id: string, policy: LimitPolicy): RollingWindow {
    let window = windows.get(id);
    if (!window) {
      window = createRollingWindow(policy, id, journal);
      windows.set(id, window);
    }
    return window;
  }

  return {
    forKey(keyId: string, tier: Tier): LimitedCaller | null {
      const policy = policies[tier];
      return policy ? open(keyed, `key:${keyId}`, policy) : null;
    },
    forAddress(address: string, allowance: Allowance, nowTs: number): LimitedCaller {
      const id = PREFIX[allowance] + address;
      const known = addresses.get(id);
      if (known) return known;
      const policy = policies[allowance]!;
      if (addresses.size >= settings.maxAddresses) sweep(nowTs);
      if (addresses.size < settings.maxAddresses) return open(addresses, id, policy);
      return open(overflow, `overflow:${allowance}:${hashLabel(address) % OVERFLOW_GROUPS}`, policy);
    },
    describe: () => ({
      callers: keyed.size + addresses.size,
      overflowing: addresses.size >= settings.maxAddresses,
      isFallback: false,
    }),
    async close() {
      journal?.write([keyed, addresses, overflow].flatMap((windows) => listUnused(windows.values())));
      journal?.close();
    },
  };
}

function listUnused(windows: Iterable<RollingWindow>): UseLine[] {
  return [...windows].flatMap((window) => window.giveBack());
}

/** Policies by tier and by anonymous allowance; null where there is no limit. */
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
  };
}
