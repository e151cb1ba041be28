// Polls and caches store data that requests must not wait for: whether the store accepts writes, and each
// strategy's track record.

import type { Account, AccountId } from '../domain/account.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat, type Repeat } from '../runtime/repeat.ts';
import type { Store } from '../store/ports.ts';
import { computeStrategyRecord } from '../trade/record/record.ts';
import type { RealisedRecords, StoreHealth } from './context.ts';

export interface Background {
  start(): void;
  stop(): Promise<void>;
  storeHealth(): StoreHealth;
  /** null until first read. */
  leaderEpoch(): number | null;
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
const EPOCH_PERIOD_MS = 5_000;
const RECORDS_PERIOD_MS = 60_000;
const NO_RECORDS: RealisedRecords = {};

export function createBackground(options: BackgroundOptions): Background {
  const { store, clock, logger, withDeadline } = options;
  const records = new Map<AccountId, RealisedRecords>();
  let health: StoreHealth = { isWritable: true, problem: null };
  let epoch: number | null = null;

  async function checkHealth(): Promise<void> {
    try {
      health = await withDeadline(store.health());
    } catch (error) {
      health = { isWritable: false, problem: errorMessage(error) };
    }
  }

  async function readEpoch(): Promise<void> {
    epoch = await withDeadline(store.readEpoch());
  }

  async function readRecords(): Promise<void> {
    for (const { accountId } of options.accounts) {
      const signals = await withDeadline(store.signals.list({ accountId, settledOnly: true }));
      records.set(accountId, computeStrategyRecord(signals));
    }
  }

  function lookUp(name: string, pauseMs: number, run: () => Promise<void>): Repeat {
    const onError = (error: unknown) => logger.warn({ problem: errorMessage(error) }, `${name} read failed`);
    return createRepeat({ clock, pauseMs, run, onError });
  }

  const lookUps = [
    lookUp('store health', HEALTH_PERIOD_MS, checkHealth),
    lookUp('leader epoch', EPOCH_PERIOD_MS, readEpoch),
    lookUp('track record', RECORDS_PERIOD_MS, readRecords),
  ];

  return {
    start() {
      for (const each of lookUps) void each.start();
    },
    async stop() {
      await Promise.all(lookUps.map((each) => each.stop()));
    },
    storeHealth: () => health,
    leaderEpoch: () => epoch,
    realisedRecords: (accountId) => records.get(accountId) ?? NO_RECORDS,
  };
}
