// The composition of the service: what a process is made of, in the order in which it is opened. The pieces are
// constructed by the files beside this one (`parts`, `ingesting`, `answering`) and nowhere else; tests hand in overrides.

import { revokeLeftDemoKeys } from '../access/demo-key.ts';
import { NEARBY_TERMS } from '../access/shared-limiter.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { openLogger } from '../runtime/open-logger.ts';
import { createSteadyTime } from '../runtime/steady-time.ts';
import { type Board, createBoard } from '../state/board.ts';
import type { AllowanceStore, Store } from '../store/ports.ts';
import { DESK_ANSWERS_WITHIN_MS } from './allowance-desk.ts';
import { listen, serveApi, sharedLimiter } from './answering.ts';
import { type Closers, createClosers } from './closers.ts';
import { followSnapshots, superviseIngest } from './ingesting.ts';
import type { OpenSimulator } from './open-simulator.ts';
import { type AppOverrides, openParts } from './parts.ts';
import type { WorkerBegin } from './worker-messages.ts';
import type { WorkerPool } from './workers.ts';

export type { AppOverrides } from './parts.ts';

export interface App {
  /** null for a process that only ingests. */
  url: string | null;
  metricsUrl: string | null;
  simulator: OpenSimulator | null;
  board: Board;
  store: Store;
  isLeading(): boolean;
  /** null where this process answers by itself. */
  workers: WorkerPool | null;
  stop(): Promise<void>;
}

/** A process that answers on behalf of the one that ingests. */
export interface WorkerApp {
  metricsText(): Promise<string>;
  stop(): Promise<void>;
}

export async function startApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const logger = overrides.logger ?? openLogger(config);
  return closingOnFailure(createClosers(logger), async (closers): Promise<App> => {
    const parts = await openParts(config, overrides, logger, createBoard(), closers);
    const { store, board, simulator } = parts;
    await revokeLeftDemoKeys(store.keys, systemClock);
    if (store.engine === 'postgres' && config.role !== 'ingest') await followSnapshots(parts);
    const supervisor = config.role === 'api' ? null : await superviseIngest(parts);
    const api = config.role === 'ingest' ? null : await serveApi(parts);
    return {
      url: api?.url ?? null,
      metricsUrl: api?.metricsUrl ?? null,
      simulator,
      board,
      store,
      isLeading: () => supervisor?.isLeading() ?? false,
      workers: api?.workers ?? null,
      stop: closers.closeAll,
    };
  });
}

/** The process that started this worker feeds `board` and stores `allowances`. */
export async function startWorker(
  begin: WorkerBegin,
  board: Board,
  allowances: AllowanceStore,
): Promise<WorkerApp> {
  const { config, build, settings } = begin;
  const logger = begin.isSilent ? silentLogger : openLogger(config);
  return closingOnFailure(createClosers(logger), async (closers) => {
    const parts = await openParts(config, { settings, build }, logger, board, closers);
    const isAsking = begin.isAskingForAllowances;
    const kept = isAsking ? allowances : parts.store.allowances;
    const patience = isAsking ? { answerWithinMs: DESK_ANSWERS_WITHIN_MS, terms: NEARBY_TERMS } : {};
    // By the first process's time: one that takes another's place after the clock was set must agree with the others.
    const time = createSteadyTime(undefined, systemClock.now() - begin.steadyTs);
    const metrics = await listen(parts, sharedLimiter(parts, kept, time, patience), begin.demo);
    return { metricsText: () => metrics.text(), stop: closers.closeAll };
  });
}

async function closingOnFailure<T>(closers: Closers, open: (closers: Closers) => Promise<T>): Promise<T> {
  try {
    return await open(closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}
