// All of the leader's jobs, wired into one service.

import type { Account, AccountId } from '../domain/account.ts';
import type { EdgeEvidence } from '../domain/standing-advice.ts';
import { getAccountParameters, MODEL_VERSION } from '../forecast/parameters.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { BoardReader } from '../state/board.ts';
import type { Observation } from '../state/snapshot.ts';
import type { Store } from '../store/ports.ts';
import type { AdviserOf } from '../trade/advice/adviser.ts';
import type { ModelIdentity } from './forecasting/forecast-record.ts';
import type { ForecastRunner } from './forecasting/forecast-runner.ts';
import { openForecastThreads } from './forecasting/forecast-threads.ts';
import { createForecastPublisher } from './forecasting/publish-forecasts.ts';
import type { Job } from './job.ts';
import { createPastWork, type PastOptions, type PastWork } from './past-work.ts';
import { createPruneJob, DEFAULT_RETENTION, type Retention } from './prune.ts';
import { createAdvicePublisher } from './publish-advice.ts';
import { createSealingJob } from './sealing/seal-hours.ts';
import { createSignalRecorder } from './settling/record-signals.ts';
import { createSettlementJob, type Resolution } from './settling/settle-events.ts';

export interface JobsOptions {
  accounts: readonly Pick<
    Account,
    'accountId' | 'marketTimeZone' | 'oraclePlatform' | 'forecastHints' | 'allowsSell'
  >[];
  board: BoardReader;
  store: Store;
  clock: Clock;
  /** Clock for rate limits and other caller data; `clock` by default. */
  wallClock?: Clock;
  logger: Logger;
  buildCommit: string;
  /** Takes the results: forecasts, advice and settlements are observations like any other. */
  note: (accountId: AccountId, observation: Observation) => Promise<void>;
  adviserOf: AdviserOf;
  retention?: Partial<Retention>;
  /** Records nothing for an account until noteHistoryComplete() is called. */
  awaitsHistory?: boolean;
  /** Past events wait for their prices, so that they are compared with the market. */
  awaitsPastPrices?: boolean;
  timeScale?: number;
  /** As for feeds; 1 by default. */
  crowding?: number;
  /** Where forecasts are computed; a worker thread by default. */
  createRunner?: (() => ForecastRunner) | undefined;
  /** Opens the work on past events; on this thread by default. */
  openPast?: ((options: PastOptions) => PastWork) | undefined;
}

export interface Jobs {
  start(): void;
  /** Records the market's results for ended events. */
  noteResolutions(account: Pick<Account, 'accountId'>, resolutions: readonly Resolution[]): Promise<void>;
  /** Call when the account's backfill is complete, so that its track record can be computed. */
  noteHistoryComplete(accountId: AccountId): void;
  stop(): Promise<void>;
}

export function createJobs(options: JobsOptions): Jobs {
  const { store, clock, logger } = options;
  const threads = openForecastThreads(options.accounts.length, options.createRunner);
  const { runner, fitQueue } = threads;
  const identity = { modelVersion: MODEL_VERSION, buildCommit: options.buildCommit };
  const accountIds = options.accounts.map(({ accountId }) => accountId);
  const accounts = options.accounts.map((account) => ({
    accountId: account.accountId,
    parameters: getAccountParameters(account),
  }));
  const complete = new Set<AccountId>();
  const isPastIn = (accountId: AccountId) => !options.awaitsHistory || complete.has(accountId);
  const evidence = new Map<AccountId, EdgeEvidence>();
  const past = (options.openPast ?? createPastWork)({
    ...options,
    accounts: options.accounts.map(({ accountId, allowsSell }, i) => ({
      ...{ accountId, allowsSell, parameters: accounts[i]!.parameters },
    })),
    identity,
    unread: listUnread(options),
    awaitsPrices: options.awaitsPastPrices ?? false,
    onEvidence: (accountId, learned) => void evidence.set(accountId, learned),
  });
  const { note, adviserOf } = options;
  const publishers = accounts.map((account) =>
    createForecastPublisher({
      ...{ ...options, ...account, runner, fitQueue, identity, isPastIn },
      onPublished: (accountId, publication) =>
        note(accountId, { kind: 'forecasts-published', ...publication }),
    }),
  );
  const advisers = options.accounts.map((account) =>
    createAdvicePublisher({
      ...{ ...options, account, isPastIn },
      adviser: adviserOf(account),
      onAdvised: (accountId, publication) => note(accountId, { kind: 'advice-published', ...publication }),
      getEvidence: () => evidence.get(account.accountId),
    }),
  );
  const settlement = createSettlementJob({
    ...options,
    accountIds,
    onSettled: ({ accountId, eventId, finalCount, winningLabel, revision }) =>
      note(accountId, { kind: 'event-settled', eventId, settlement: { finalCount, winningLabel, revision } }),
    onRound: async () => past.noteSettled(),
  });
  const retention = { ...DEFAULT_RETENTION, ...options.retention };
  const others: Job[] = [
    ...advisers,
    settlement,
    createSignalRecorder({ ...options, isPastIn }),
    createSealingJob(options),
    createPruneJob({ ...options, retention }),
  ];

  return {
    start() {
      annotateBuild(store, identity, clock).catch((error: unknown) =>
        logger.warn({ error: errorMessage(error) }, 'build not annotated'),
      );
      past.start();
      for (const job of [...publishers, ...others]) job.start();
    },
    noteResolutions: settlement.noteResolutions,
    noteHistoryComplete(accountId) {
      complete.add(accountId);
      past.noteHistoryComplete(accountId);
    },
    async stop() {
      await Promise.all([past.stop(), ...[...publishers, ...others].map((job) => job.stop())]);
      await runner.close();
    },
  };
}

/** Accounts with past events to read; saved evidence says whether an earlier process has read them. */
function listUnread({ accounts, board, awaitsPastPrices = false }: JobsOptions): AccountId[] {
  const unread = accounts.filter(({ accountId }) => {
    const saved = board.find(accountId)?.evidence;
    return awaitsPastPrices && (!saved || saved.reading);
  });
  return unread.map(({ accountId }) => accountId);
}

// Adds an annotation when the model version or the build has changed, to explain jumps in the track record.

const CURSOR = 'annotated-model';

/** Returns whether an annotation was added. */
export async function annotateBuild(
  store: Pick<Store, 'annotations' | 'cursors'>,
  { modelVersion, buildCommit }: ModelIdentity,
  clock: Clock,
): Promise<boolean> {
  const identity = `${modelVersion} ${buildCommit}`;
  const before = await store.cursors.find(CURSOR);
  if (before === identity) return false;
  const isNewModel = before?.split(' ')[0] !== modelVersion;
  const label = isNewModel ? `model ${modelVersion}` : `build ${buildCommit}`;
  await store.annotations.add({ ts: clock.now(), label, commit: buildCommit });
  await store.cursors.put(CURSOR, identity);
  return true;
}
