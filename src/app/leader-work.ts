// The leader's work in addition to serving requests: ingest, forecast, settle, send alerts.

import type { PostWebhook } from '../alerts/delivery/post-guarded.ts';
import type { Config } from '../config/config.ts';
import { createIngest, createReadingTurns } from '../ingest/ingest.ts';
import type { AccountRecorder } from '../ingest/recorder/account-recorder.ts';
import { createJobs, type JobsOptions } from '../jobs/jobs.ts';
import { type Clock, systemClock, waitAtMost } from '../runtime/clock.ts';
import { describeViolation, onFirstViolation } from '../runtime/invariants.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Random } from '../runtime/random.ts';
import type { Sources } from '../sources/source.ts';
import type { Board } from '../state/board.ts';
import type { Store } from '../store/ports.ts';
import type { AdviserOf } from '../trade/advice/adviser.ts';
import { createNotifier } from './alerting.ts';
import type { BuildInfo } from './build-info.ts';
import type { LeaderWork } from './ingest-supervisor.ts';
import { type OpenPast, openPastHere } from './open-past.ts';

export interface LeaderParts {
  config: Config;
  logger: Logger;
  clock: Clock;
  random: Random;
  store: Store;
  sources: Sources;
  board: Board;
  /** Shared with the requests of this process. */
  adviserOf: AdviserOf;
  build: BuildInfo;
  /** Wall clock for traffic between machines, such as deliveries; the system clock by default. */
  wallClock?: Clock;
  /** Speed relative to real time. */
  timeScale: number;
  /** Where forecasts are computed; a worker thread by default. */
  createRunner?: JobsOptions['createRunner'];
  /** Where past events are read and computed; on this thread by default. */
  openPast?: OpenPast | undefined;
  /** How alerts are sent; blocks private networks by default. */
  postWebhook?: PostWebhook | undefined;
  /** URL of the simulator, which also simulates chats; null or absent on live sources. */
  simulatorUrl?: string | null;
}

/** Replicas wait for it; a single process needs it only at its next start. */
const LOG_FOR_REPLICAS_MS = 250;
const LOG_FOR_RESTART_MS = 10_000;

/** Beyond that, all accounts together poll the oracle about ten times a second, and the market seven times. */
const ACCOUNTS_AT_FULL_PACE = 100;

/** Forecasts of many accounts wait for each other; feeds must not read and write all that time. */
const JOBS_PATIENCE_MS = 2_000;

/** Records violations in the snapshot, because other processes serve /health. */
function showViolations(recorders: readonly AccountRecorder[]): () => void {
  return onFirstViolation((name) => {
    const text = describeViolation(name);
    void recorders[0]?.note({ kind: 'notice-set', about: `invariant ${name}`, text });
  });
}

/** Rebuilds the state; nothing runs before start(). */
export async function prepareLeaderWork(parts: LeaderParts): Promise<LeaderWork> {
  const { config, store, timeScale, wallClock = systemClock } = parts;
  const { accounts } = config;
  const turns = createReadingTurns();
  const crowding = accounts.length / ACCOUNTS_AT_FULL_PACE;
  let isStopped = false;
  const logEveryMs = store.engine === 'postgres' ? LOG_FOR_REPLICAS_MS : LOG_FOR_RESTART_MS;
  const ingest = await createIngest({
    ...parts,
    turns,
    usePush: config.xPush,
    crowding,
    blankTextOnDeletion: config.blankTextOnDeletion,
    logEveryMs: logEveryMs * timeScale,
    onSettled: (account, settled) => jobs.noteResolutions(account, settled),
    // A clean stop ends the backfill too, but does not complete it.
    onCaughtUp: ({ accountId }) => {
      if (!isStopped) jobs.noteHistoryComplete(accountId);
    },
  });
  /** In the snapshot, because other processes serve /health. */
  const showPastProblem = (text: string | null) =>
    void ingest.recorders[0]?.note({ kind: 'notice-set', about: 'past', text });
  const findRecorder = (accountId: string) =>
    ingest.recorders.find(({ account }) => account.accountId === accountId);
  const jobs = createJobs({
    ...parts,
    wallClock,
    awaitsHistory: true,
    awaitsPastPrices: parts.sources.fetchPastPrices !== undefined,
    accounts,
    openPast: (options) =>
      (parts.openPast ?? openPastHere)(options, { ...parts, showProblem: showPastProblem }),
    crowding,
    buildCommit: parts.build.commit,
    retention: { quotesDays: config.quoteRetentionDays, usageDays: config.usageRetentionDays },
    note: async (accountId, observation) => findRecorder(accountId)?.note(observation),
  });
  const notifier = createNotifier(parts);
  const cancels: (() => void)[] = [];
  return {
    start() {
      if (config.role === 'ingest') cancels.push(showViolations(ingest.recorders));
      ingest.start();
      jobs.start();
      notifier.start();
    },
    async stop() {
      isStopped = true;
      for (const cancel of cancels) cancel();
      await notifier.stop();
      const jobsStopped = jobs.stop();
      await waitAtMost(wallClock, JOBS_PATIENCE_MS, jobsStopped);
      await ingest.stop();
      await jobsStopped;
    },
  };
}
