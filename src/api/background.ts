// What requests need to know of the store without waiting for it: whether it takes writes, and how each
// strategy has done. Looked up in the background and kept.

import type { Account, AccountId } from '../domain/account.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Store } from '../store/ports.ts';
import { computeStrategyRecord } from '../trade/record/record.ts';
import type { StoreHealth } from './views/health.ts';
import type { RealisedRecords } from './views/signals.ts';

export interface Background {
  start(): void;
  stop(): void;
  storeHealth(): StoreHealth;
  realisedRecords(accountId: AccountId): RealisedRecords;
}

export interface BackgroundOptions {
  accounts: readonly Account[];
  store: Store;
  clock: Clock;
  logger: Logger;
  withDeadline: <T>(work: Promise<T>) => Promise<T>;
}

const HEALTH_PERIOD_MS = 2_000;
const RECORDS_PERIOD_MS = 60_000;
const NO_RECORDS: RealisedRecords = {};

export function createBackground(options: BackgroundOptions): Background {
  const { store, clock, logger, withDeadline } = options;
  const records = new Map<AccountId, RealisedRecords>();
  const cancels = new Map<string, () => void>();
  let health: StoreHealth = { isWritable: true, problem: null };
  let isStopped = false;

  async function checkHealth(): Promise<void> {
    try {
      health = await withDeadline(store.health());
    } catch (error) {
      health = { isWritable: false, problem: errorMessage(error) };
    }
  }

  async function readRecords(): Promise<void> {
    for (const { accountId } of options.accounts) {
      const signals = await withDeadline(store.signals.list({ accountId, settledOnly: true }));
      records.set(accountId, computeStrategyRecord(signals));
    }
  }

  function repeat(name: string, periodMs: number, action: () => Promise<void>): void {
    action()
      .catch((error) => logger.warn({ problem: errorMessage(error) }, `${name} could not be read`))
      .finally(() => {
        if (!isStopped)
          cancels.set(
            name,
            clock.after(periodMs, () => repeat(name, periodMs, action)),
          );
      });
  }

  return {
    start() {
      repeat('store health', HEALTH_PERIOD_MS, checkHealth);
      repeat('realised records', RECORDS_PERIOD_MS, readRecords);
    },
    stop() {
      isStopped = true;
      for (const cancel of cancels.values()) cancel();
    },
    storeHealth: () => health,
    realisedRecords: (accountId) => records.get(accountId) ?? NO_RECORDS,
  };
}
