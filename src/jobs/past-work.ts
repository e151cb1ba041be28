// The past of every account, from the venue's prices to what advice rests on: recomputes earlier forecasts, scores them,
// and learns from them. It needs no snapshot, so it can run on a thread of its own.

import type { Account, AccountId } from '../domain/account.ts';
import type { EdgeEvidence } from '../domain/standing-advice.ts';
import type { AccountParameters } from '../forecast/parameters.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { ModelIdentity } from './forecasting/forecast-record.ts';
import { createInlineRunner, type ForecastRunner } from './forecasting/forecast-runner.ts';
import { createOpenEventBackfill } from './scoring/backfill-open-events.ts';
import { type BackfillOptions, createTrackRecordBackfill } from './scoring/backfill-track-record.ts';
import { createEdgeEvidence, type EvidenceStore } from './scoring/edge-evidence.ts';
import { createAdviceRecomputation } from './scoring/recompute-advice.ts';

export interface PastAccount extends Pick<Account, 'accountId' | 'allowsSell'> {
  parameters: AccountParameters;
}

/** What the work is about; plain data. */
export interface PastPlan {
  accounts: readonly PastAccount[];
  identity: ModelIdentity;
  /** Accounts that no earlier process has read: what half of their events show may not hold for all. */
  unread: readonly AccountId[];
  /** Whether past events wait for their prices. */
  awaitsPrices: boolean;
}

export interface PastOptions extends PastPlan {
  store: BackfillOptions['store'] & EvidenceStore;
  clock: Clock;
  logger: Logger;
  /** Called when an account's evidence has changed. */
  onEvidence: (accountId: AccountId, evidence: EdgeEvidence) => void;
  createRunner?: (() => ForecastRunner) | undefined;
}

export interface PastWork {
  start(): void;
  /** An account's backfill is complete, so its past can be computed. */
  noteHistoryComplete(accountId: AccountId): void;
  /** Events have settled. */
  noteSettled(): void;
  stop(): Promise<void>;
}

export interface RestingPastWork extends PastWork {
  /** Whether everything that can be read and computed now has been. */
  isResting(): boolean;
}

export interface PricedPastWork extends RestingPastWork {
  /** Prices of past events were read; events in `failed` no longer wait for them. */
  notePricesRead(failed: readonly number[]): void;
}

export function createPastWork(options: PastOptions): PricedPastWork {
  const { accounts, store, clock, logger, onEvidence } = options;
  const accountIds = accounts.map(({ accountId }) => accountId);
  const complete = new Set<AccountId>();
  const unpriced = new Set<number>();
  const reading = new Set(options.unread);
  const evidence = createEdgeEvidence(accountIds, store, clock, reading);
  const told = new Map<AccountId, EdgeEvidence>();
  const backfillOptions = {
    ...options,
    createRunner: options.createRunner ?? createInlineRunner,
    isReady: (accountId: AccountId) => complete.has(accountId),
    awaitsPrices: (eventId: number) => options.awaitsPrices && !unpriced.has(eventId),
    async onScored() {
      ledger.wake();
      await learn();
    },
  };
  const backfill = createTrackRecordBackfill({
    ...backfillOptions,
    onWhole: async (whole) => {
      const read = whole.filter((accountId) => reading.delete(accountId));
      if (read.length > 0) await learn();
    },
  });
  const openBackfill = createOpenEventBackfill(backfillOptions);
  const ledger = createAdviceRecomputation(backfillOptions);
  const jobs = [openBackfill, backfill, ledger];

  let learning = 0;

  async function learn(): Promise<void> {
    learning += 1;
    await evidence.learn().finally(() => (learning -= 1));
    for (const accountId of accountIds) {
      const learned = evidence.get(accountId);
      if (!learned || told.get(accountId) === learned) continue;
      told.set(accountId, learned);
      onEvidence(accountId, learned);
    }
  }

  function learnSoon(): void {
    learn().catch((error: unknown) =>
      logger.warn({ error: errorMessage(error) }, 'edge evidence not learned'),
    );
  }

  return {
    start() {
      learnSoon();
      ledger.start();
    },
    noteHistoryComplete(accountId) {
      complete.add(accountId);
      for (const job of [openBackfill, backfill]) {
        job.start();
        job.wake();
      }
    },
    notePricesRead(failed) {
      for (const eventId of failed) unpriced.add(eventId);
      if (complete.size > 0) for (const job of [openBackfill, backfill]) job.wake();
    },
    noteSettled() {
      learnSoon();
      ledger.wake();
      if (complete.size > 0) backfill.wake();
    },
    isResting: () => learning === 0 && jobs.every((job) => job.isResting()),
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
