// Composition root: opens the parts of a process in order. Parts are constructed only in the adjacent files
// (`parts`, `ingesting`, `answering`); tests pass overrides.

import { revokeLeftDemoKeys } from '../access/demo-key.ts';
import { NEARBY_TERMS } from '../access/shared-limiter.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { openLogger } from '../runtime/open-logger.ts';
import { createSteadyTime } from '../runtime/steady-time.ts';
import { type Board, createBoard } from '../state/board.ts';
import type { AllowanceStore, Store } from '../store/ports.ts';
import { ALLOWANCES_ANSWER_WITHIN_MS } from './allowance-service.ts';
import { listen, serveApi, sharedLimiter } from './answering.ts';
import { type Closers, createClosers } from './closers.ts';
import { followSnapshots, superviseIngest } from './ingesting.ts';
import type { OpenSimulator } from './open-simulator.ts';
import { type AppOverrides, openParts } from './parts.ts';
import type { WorkerBegin } from './worker-messages.ts';
import type { WorkerPool } from './workers.ts';

export type { AppOverrides } from './parts.ts';

export interface App {
  /** null for an ingest-only process. */
  url: string | null;
  metricsUrl: string | null;
  simulator: OpenSimulator | null;
  board: Board;
  store: Store;
  isLeading(): boolean;
  /** null if this process serves requests itself. */
  workers: WorkerPool | null;
  stop(): Promise<void>;
}

/** A worker process, which serves requests while the first process ingests. */
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

/** The first process feeds `board` and stores `allowances`. */
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
    const patience = isAsking ? { answerWithinMs: ALLOWANCES_ANSWER_WITHIN_MS, terms: NEARBY_TERMS } : {};
    // Uses the first process's steady time, so that a replacement worker agrees with the others after a clock
    // change.
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
