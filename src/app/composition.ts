// Composition root: opens the parts of a process in order. Parts are constructed only in the adjacent files
// (`parts`, `leader-work`, `answering`); tests pass overrides.

import { revokeLeftDemoKeys } from '../access/demo-key.ts';
import type { Config } from '../config/config.ts';
import { listShards, shardOf } from '../domain/shard.ts';
import { createReadingTurns } from '../ingest/ingest.ts';
import { type BoardFollower, createBoardFollower } from '../jobs/board-follower.ts';
import { openSharedThreads } from '../jobs/forecasting/forecast-threads.ts';
import { createScoredEvents } from '../jobs/scoring/scored-events.ts';
import { systemClock } from '../runtime/clock.ts';
import { openLogger } from '../runtime/open-logger.ts';
import { type Board, createBoard } from '../state/board.ts';
import type { ShardStore, Store } from '../store/ports.ts';
import { serveApi } from './answering.ts';
import { type Closers, createClosers } from './closers.ts';
import { createIngestSupervisor, type IngestSupervisor, type LeaderWork } from './ingest-supervisor.ts';
import { type LeaderParts, prepareLeaderWork } from './leader-work.ts';
import type { OpenSimulator } from './open-simulator.ts';
import { type AppOverrides, openParts, type Parts } from './parts.ts';
import { createShardSupervisor, type ShardSupervisor } from './shard-supervisor.ts';

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
    const shards = config.role === 'api' || !store.shards ? null : superviseShards(parts, store.shards);
    const leads = (accountId: string) => shards?.leads(shardOf(accountId)) ?? false;
    const isFollower = store.engine === 'postgres' && config.role !== 'ingest';
    const follower = isFollower ? await followSnapshots(parts, leads) : null;
    if (follower) closers.add('board follower', () => follower.stop());
    const supervisor = config.role === 'api' ? null : await superviseIngest(parts, shards, leads);
    const api = config.role === 'ingest' ? null : await serveApi(parts, follower?.findProblem);
    return {
      url: api?.url ?? null,
      metricsUrl: api?.metricsUrl ?? null,
      simulator,
      board,
      store,
      isLeading: () => [supervisor, shards].some((each) => each?.isLeading()),
      stop: closers.closeAll,
    };
  });
}

/** Keeps this process's board current by following the leaders. */
async function followSnapshots(
  { board, store, logger }: Parts,
  isOwn: (accountId: string) => boolean,
): Promise<BoardFollower> {
  const follower = createBoardFollower({
    board,
    snapshots: store.snapshots,
    isOwn,
    clock: systemClock,
    logger,
  });
  await follower.start();
  return follower;
}

/** Leads the whole service; if accounts are divided, only what is not. */
async function superviseIngest(
  parts: Parts,
  shards: ShardSupervisor | null,
  leads: (accountId: string) => boolean,
): Promise<IngestSupervisor> {
  const { store, logger, closers } = parts;
  const supervisor = createIngestSupervisor({
    store,
    logger,
    prepare: () => (shards ? prepareUndivided(parts, leads) : prepareLeaderWork(workOf(parts))),
  });
  closers.add('ingestion', () => supervisor.stop());
  if (shards) closers.add('shards', () => shards.stop());
  await Promise.all([supervisor.start(), shards?.start()]);
  return supervisor;
}

/** Alerts need every account's state, which an ingest process otherwise does not have. */
async function prepareUndivided(parts: Parts, leads: (accountId: string) => boolean): Promise<LeaderWork> {
  const follower = parts.config.role === 'ingest' ? await followSnapshots(parts, leads) : null;
  const sources = { ...parts.sources, accounts: [], meters: [] };
  const work = await prepareLeaderWork({ ...workOf(parts), sources, part: { accounts: [] } });
  return {
    start: work.start,
    async stop() {
      await work.stop();
      await follower?.stop();
    },
  };
}

function superviseShards(parts: Parts, shards: ShardStore): ShardSupervisor {
  const { config, logger } = parts;
  const threads = openSharedThreads(config.accounts.length);
  const shared = { threads, turns: createReadingTurns(), scored: createScoredEvents(parts.store) };
  parts.closers.add('forecast threads', () => threads.runner.close());
  const count = listShards(config.accounts).length;
  return createShardSupervisor({
    shards,
    accounts: config.accounts,
    logger,
    prepare: (shard, store) => {
      const accounts = config.accounts.filter(({ accountId }) => shardOf(accountId) === shard);
      const sources = parts.openShardSources(accounts, count);
      return prepareLeaderWork({
        ...workOf(parts),
        store,
        sources,
        part: { shard, accounts, ...shared },
      });
    },
  });
}

function workOf(parts: Parts): LeaderParts {
  const { simulator, overrides } = parts;
  return {
    ...parts,
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
