// The threads on which a process computes forecasts. Shards of one process share them, because a thread takes as
// much memory as several models.

import { availableParallelism } from 'node:os';
import { createTurnQueue, type TurnQueue } from '../../runtime/turn-queue.ts';
import {
  createBackgroundRunner,
  createRunnerPool,
  createWorkerRunner,
  type ForecastRunner,
} from './forecast-runner.ts';

export interface ForecastThreads {
  runner: ForecastRunner;
  fitQueue: TurnQueue;
  /** For long work on past events; close it after each piece of work. */
  createBackground(): ForecastRunner;
}

/** A thread uses as much memory as several models, so one is enough for a few accounts. */
const ACCOUNTS_PER_THREAD = 10;
/** As many as the jobs of one process without shards use. */
const BACKGROUND_AT_ONCE = 3;

export function openForecastThreads(accounts: number, createRunner?: () => ForecastRunner): ForecastThreads {
  const threads = Math.max(1, Math.min(availableParallelism(), Math.ceil(accounts / ACCOUNTS_PER_THREAD)));
  return {
    runner: createRunnerPool(threads, createRunner ?? (() => createWorkerRunner())),
    fitQueue: createTurnQueue(threads),
    createBackground: createRunner ?? createBackgroundRunner,
  };
}

/** As above, for all shards of a process: background work of many shards waits for its turn. */
export function openSharedThreads(accounts: number): ForecastThreads {
  const threads = openForecastThreads(accounts);
  const turns = createTurnQueue(BACKGROUND_AT_ONCE);
  return { ...threads, createBackground: () => waitForTurn(turns, threads.createBackground) };
}

const CALLS = [
  'load',
  'observe',
  'forget',
  'forecast',
  'whatIf',
  'beginWalk',
  'walkOn',
  'adviseOnPast',
] as const satisfies readonly (keyof ForecastRunner)[];

/** A runner that starts with its first call and keeps its turn until it is closed. */
export function waitForTurn(turns: TurnQueue, create: () => ForecastRunner): ForecastRunner {
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  let isClosed = false;
  let opened: Promise<ForecastRunner> | null = null;
  let running: ForecastRunner | null = null;

  function open(): Promise<ForecastRunner> {
    const started = Promise.withResolvers<ForecastRunner>();
    void turns.enter(0, async () => {
      if (isClosed) return;
      running = create();
      started.resolve(running);
      await closed.promise.catch(() => {});
    });
    return Promise.race([started.promise, closed.promise]);
  }

  const calls = CALLS.map((name) => [
    name,
    async (...args: unknown[]) => {
      const runner = await (opened ??= open());
      return (runner[name] as (...values: unknown[]) => Promise<unknown>)(...args);
    },
  ]);
  return {
    ...(Object.fromEntries(calls) as Omit<ForecastRunner, 'close'>),
    async close() {
      isClosed = true;
      closed.reject(new Error('the forecast worker was closed'));
      await running?.close();
    },
  };
}
