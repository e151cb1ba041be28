// Composition root: opens the parts of a process in order. Parts are constructed only in the adjacent files
// (`parts`, `leader-work`, `answering`); tests pass overrides.

import { revokeLeftDemoKeys } from '../access/demo-key.ts';
import type { Config } from '../config/config.ts';
import { type BoardFollower, createBoardFollower } from '../jobs/board-follower.ts';
import { systemClock } from '../runtime/clock.ts';
import { openLogger } from '../runtime/open-logger.ts';
import { type Board, createBoard } from '../state/board.ts';
import type { Store } from '../store/ports.ts';
import { serveApi } from './answering.ts';
import { type Closers, createClosers } from './closers.ts';
import { createIngestSupervisor, type IngestSupervisor } from './ingest-supervisor.ts';
import { type LeaderParts, prepareLeaderWork } from './leader-work.ts';
import type { OpenSimulator } from './open-simulator.ts';
import { type AppOverrides, openParts, type Parts } from './parts.ts';
import { createPastThreads } from './past-client.ts';

export type { AppOverrides } from './parts.ts';

export interface App {
  /** null for an ingest-only process. */
  url: string | null;
  metricsUrl: string | null;
  simulator: OpenSimulator | null;
  board: Board;
  store: Store;
  isLeading(): boolean;
  stop(): Promise<void>;
}

export async function startApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const logger = overrides.logger ?? openLogger(config);
  return closingOnFailure(createClosers(logger), async (closers): Promise<App> => {
    const parts = await openParts(config, overrides, logger, createBoard(), closers);
    const { store, board, simulator } = parts;
    await revokeLeftDemoKeys(store.keys, systemClock);
    const supervisor = config.role === 'api' ? null : superviseIngest(parts);
    const isFollower = store.engine === 'postgres' && config.role !== 'ingest';
    const follower = isFollower ? await followLeader(parts) : null;
    await supervisor?.start();
    const api = config.role === 'ingest' ? null : await serveApi(parts, follower?.findProblem);
    return {
      url: api?.url ?? null,
      metricsUrl: api?.metricsUrl ?? null,
      simulator,
      board,
      store,
      isLeading: () => supervisor?.isLeading() ?? false,
      stop: closers.closeAll,
    };
  });
}

/** Keeps this process's board current while another process leads. */
async function followLeader({ board, store, logger, closers }: Parts): Promise<BoardFollower> {
  const { snapshots } = store;
  const follower = createBoardFollower({ board, snapshots, clock: systemClock, logger });
  closers.add('board follower', () => follower.stop());
  await follower.start();
  return follower;
}

function superviseIngest(parts: Parts): IngestSupervisor {
  const { store, logger, closers } = parts;
  const prepare = () => prepareLeaderWork(workOf(parts));
  const supervisor = createIngestSupervisor({ store, logger, prepare });
  closers.add('ingestion', () => supervisor.stop());
  return supervisor;
}

function workOf(parts: Parts): LeaderParts {
  const { simulator, overrides } = parts;
  // Parts of a test cannot be opened again on another thread.
  const isOwn = !overrides.sources && !overrides.store && !overrides.clock;
  return {
    ...parts,
    ...(isOwn && { openPast: createPastThreads(parts) }),
    timeScale: Math.max(1, simulator?.speed ?? 1),
    postWebhook: overrides.postWebhook,
    simulatorUrl: simulator?.urls.base ?? null,
  };
}

async function closingOnFailure<T>(closers: Closers, open: (closers: Closers) => Promise<T>): Promise<T> {
  try {
    return await open(closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}
