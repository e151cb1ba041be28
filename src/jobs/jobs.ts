// All of the leader's jobs, wired into one service.

import type { Account, AccountId } from '../domain/account.ts';
import { getAccountParameters, MODEL_VERSION } from '../forecast/parameters.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { TurnQueue } from '../runtime/turn-queue.ts';
import type { BoardReader } from '../state/board.ts';
import type { Observation } from '../state/snapshot.ts';
import type { Store } from '../store/ports.ts';
import type { AdviserOf } from '../trade/advice/adviser.ts';
import type { ModelIdentity } from './forecasting/forecast-record.ts';
import type { ForecastRunner } from './forecasting/forecast-runner.ts';
import { openForecastThreads } from './forecasting/forecast-threads.ts';
import { createForecastPublisher } from './forecasting/publish-forecasts.ts';
import type { Job } from './job.ts';
import { createPruneJob, DEFAULT_RETENTION, type Retention } from './prune.ts';
import { createAdvicePublisher } from './publish-advice.ts';
import { createOpenEventBackfill } from './scoring/backfill-open-events.ts';
import { createTrackRecordBackfill } from './scoring/backfill-track-record.ts';
import { createEdgeEvidence } from './scoring/edge-evidence.ts';
import { createAdviceRecomputation } from './scoring/recompute-advice.ts';
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
  /** Past events wait for notePastRead(), so that they are compared with the market. */
  awaitsPastPrices?: boolean;
  /** External services that store seals. */
  timeScale?: number;
  /** As for feeds; 1 by default. */
  crowding?: number;
  /** Where forecasts are computed; a worker thread by default. */
  createRunner?: (() => ForecastRunner) | undefined;
  /** In which work on past events waits for everything more urgent; it does not wait by default. */
  pastTurns?: TurnQueue | undefined;
}

export interface Jobs {
  start(): void;
  /** Records the market's results for ended events. */
  noteResolutions(account: Pick<Account, 'accountId'>, resolutions: readonly Resolution[]): Promise<void>;
  /** Call when the account's backfill is complete, so that its track record can be computed. */
  noteHistoryComplete(accountId: AccountId): void;
  /** Call when prices of past events were read; events in `failed` no longer wait for them. */
  notePastRead(failed: readonly number[]): void;
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
  const unpriced = new Set<number>();
  const isReady = (accountId: AccountId) => complete.has(accountId);
  const isPastIn = (accountId: AccountId) => !options.awaitsHistory || isReady(accountId);
  const reading = listUnread(options);
  const evidence = createEdgeEvidence(accountIds, store, clock, reading);
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
    onRound: evidence.learn,
  });
  const backfillOptions = {
    ...options,
    accounts,
    createRunner: threads.createBackground,
    identity,
    isReady,
    awaitsPrices: (eventId: number) => (options.awaitsPastPrices ?? false) && !unpriced.has(eventId),
    onScored: async () => {
      await evidence.learn();
    },
  };
  const backfill = createTrackRecordBackfill({
    ...backfillOptions,
    onWhole: async (whole) => {
      const read = whole.filter((accountId) => reading.delete(accountId));
      if (read.length > 0) await evidence.learn();
    },
  });
  const openBackfill = createOpenEventBackfill(backfillOptions);
  const retention = { ...DEFAULT_RETENTION, ...options.retention };
  const others: Job[] = [
    ...advisers,
    settlement,
    createSignalRecorder({ ...options, isPastIn }),
    createAdviceRecomputation({ ...options, createRunner: backfillOptions.createRunner }),
    createSealingJob(options),
    createPruneJob({ ...options, retention }),
  ];

  /** Learns evidence first, because that only reads and so works even on a full disk. */
  async function prepare(): Promise<void> {
    await evidence.learn();
    await annotateBuild(store, identity, clock);
  }

  return {
    start() {
      prepare().catch((error: unknown) =>
        logger.warn({ error: errorMessage(error) }, 'edge evidence not loaded or build not annotated'),
      );
      for (const job of [...publishers, ...others]) job.start();
    },
    async noteResolutions(account, resolutions) {
      await settlement.noteResolutions(account, resolutions);
      if (isReady(account.accountId)) backfill.wake();
    },
    notePastRead(failed) {
      for (const eventId of failed) unpriced.add(eventId);
      if (complete.size === 0) return;
      for (const job of [openBackfill, backfill]) job.wake();
    },
    noteHistoryComplete(accountId) {
      complete.add(accountId);
      beginPast([openBackfill, backfill], options.pastTurns);
    },
    async stop() {
      await Promise.all([...publishers, ...others, backfill, openBackfill].map((job) => job.stop()));
      await runner.close();
    },
  };
}

/** Has no effect on stopped jobs. */
function beginPast(jobs: readonly Job[], turns: TurnQueue | undefined): void {
  const begin = async () => {
    for (const job of jobs) {
      job.start();
      job.wake();
    }
  };
  if (turns) void turns.enter(-1, begin);
  else void begin();
}

/** Accounts with past events to read; saved evidence says whether an earlier process has read them. */
function listUnread({ accounts, board, awaitsPastPrices = false }: JobsOptions): Set<AccountId> {
  const unread = accounts.filter(({ accountId }) => {
    const saved = board.find(accountId)?.evidence;
    return awaitsPastPrices && (!saved || saved.reading);
  });
  return new Set(unread.map(({ accountId }) => accountId));
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
