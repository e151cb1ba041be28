// The threads on which a process computes forecasts.

import { availableParallelism } from 'node:os';
import { createTurnQueue, type TurnQueue } from '../../runtime/turn-queue.ts';
import { createRunnerPool, createWorkerRunner, type ForecastRunner } from './forecast-runner.ts';

export interface ForecastThreads {
  runner: ForecastRunner;
  fitQueue: TurnQueue;
}

/** A thread uses as much memory as several models, so one is enough for a few accounts. */
const ACCOUNTS_PER_THREAD = 10;

export function openForecastThreads(accounts: number, createRunner?: () => ForecastRunner): ForecastThreads {
  const threads = Math.max(1, Math.min(availableParallelism(), Math.ceil(accounts / ACCOUNTS_PER_THREAD)));
  return {
    runner: createRunnerPool(threads, createRunner ?? (() => createWorkerRunner())),
    fitQueue: createTurnQueue(threads),
  };
}
