// The PostgreSQL store, shared by any number of processes.

import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { UNDIVIDED } from '../../domain/shard.ts';
import type { Clock } from '../../runtime/clock.ts';
import { StoreError } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { gatherAllowances } from '../gather-allowances.ts';
import { type Fence, LostLeadershipError, readEpoch, rowOf } from '../leader-epoch.ts';
import type { PortCall } from '../port-call.ts';
import { createPorts, runCall, runWrite } from '../port-call.ts';
import type { PartLeader, ShardStore, Store } from '../ports.ts';
import type { Database } from '../schema.ts';
import { createWriteHealth } from '../write-health.ts';
import { gatherWrites } from './gathered-writes.ts';
import { acquireLeaderLock, type EpochLock, IS_LEADER_HELD } from './leader-lock.ts';
import { isCollision, isConnectionTrouble, toStoreError } from './pg-errors.ts';
import { createPgClient, createPgKysely } from './pg-pool.ts';
import { migratePostgres, postgresEngine } from './postgres-engine.ts';
import { HELD_SHARDS, joinShards } from './shard-locks.ts';
import { createSnapshotListener } from './snapshot-listener.ts';

const READ_RETRY_MS = 50;
const MAX_COLLISIONS = 5;

export interface PostgresStoreOptions {
  databaseUrl: string;
  directDatabaseUrl?: string | null | undefined;
  clock: Clock;
  logger: Logger;
  poolSize?: number | undefined;
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { databaseUrl, clock, logger, poolSize } = options;
  const directUrl = options.directDatabaseUrl || databaseUrl;
  await prepareDatabase(directUrl, clock, logger);
  const db = createPgKysely({ databaseUrl, isBehindPooler: directUrl !== databaseUrl, poolSize, logger });
  const health = createWriteHealth(() => beatProbe(db, clock));
  const closing = new AbortController();
  let leader: EpochLock | null = null;

  const write = gatherWrites(async (call, locks) => {
    try {
      return await writeInTransaction(db, call, locks);
    } catch (error) {
      if (error instanceof LostLeadershipError && locks.length === 1) locks[0]!.abandon(error);
      throw toStoreError(error);
    }
  });

  /** Ports on which a leader's writes are made under the lock that `find` returns. */
  const portsUnder = (find: () => EpochLock | null) =>
    createPorts({
      read: (call) => readWithRetry(db, call),
      write: (call) => health.watch(write({ call, lock: find() })),
    });
  const ports = portsUnder(() => leader);
  const listener = createSnapshotListener({
    databaseUrl: directUrl,
    logger,
    readVersions: () => ports.snapshots.versions(),
  });
  const store: Store = {
    engine: 'postgres',
    ...ports,
    allowances: gatherAllowances(ports.allowances),
    snapshots: { ...ports.snapshots, listen: listener.add },
    async lead(signal) {
      await leader?.release();
      const lock = await acquireLeaderLock(directUrl, AbortSignal.any([signal, closing.signal]), logger);
      // The store closed while taking the lock: release it here, because no one else will.
      if (closing.signal.aborted) await lock.release();
      closing.signal.throwIfAborted();
      return (leader = lock);
    },
    shards: { join, listLeaders: () => listLeaders(db) },
    readEpoch: () => readEpoch(db, UNDIVIDED),
    health: health.check,
    async close() {
      closing.abort(new StoreError('store: closed', { isRetryable: false }));
      await listener.close();
      await leader?.release();
      await db.destroy();
    },
  };

  async function join(signal: AbortSignal): ReturnType<ShardStore['join']> {
    const session = await joinShards(directUrl, AbortSignal.any([signal, closing.signal]), logger);
    closing.signal.addEventListener('abort', () => void session.leave(), { once: true });
    return {
      ...session,
      async take(shard) {
        const lock = await session.take(shard);
        if (!lock) return null;
        const own = portsUnder(() => lock);
        const { allowances } = store;
        const snapshots = { ...own.snapshots, listen: listener.add };
        const readOwnEpoch = async () => lock.epoch;
        return { ...lock, store: { ...store, ...own, allowances, snapshots, readEpoch: readOwnEpoch } };
      },
    };
  }

  return store;
}

async function listLeaders(db: Kysely<Database>): Promise<PartLeader[]> {
  const { rows } = await sql<PartLeader>`
    select id - ${sql.lit(rowOf(0))} as part, epoch, holder,
      case when id = ${sql.lit(rowOf(UNDIVIDED))} then ${sql.raw(IS_LEADER_HELD)}
        else id - ${sql.lit(rowOf(0))} in (${sql.raw(HELD_SHARDS)}) end as "isHeld"
    from leadership order by id`.execute(db);
  return rows;
}

async function prepareDatabase(databaseUrl: string, clock: Clock, logger: Logger): Promise<void> {
  const client = createPgClient(databaseUrl, 0);
  client.on('error', () => {});
  try {
    await client.connect();
    const newest = (await migratePostgres(client, clock.now())).at(-1);
    if (newest) logger.info({ version: newest.version }, 'store migrated');
  } catch (error) {
    throw toStoreError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Repeating a read is harmless, and a server restart leaves dead connections in the pool. */
async function readWithRetry(db: Kysely<Database>, call: PortCall): Promise<unknown> {
  try {
    return await runCall({ db, engine: postgresEngine }, call);
  } catch (error) {
    if (!isConnectionTrouble(error)) throw toStoreError(error);
  }
  await wait(READ_RETRY_MS);
  try {
    return await runCall({ db, engine: postgresEngine }, call);
  } catch (error) {
    throw toStoreError(error);
  }
}

/** A conflict rolls everything back, so the transaction can be repeated. */
async function writeInTransaction(
  db: Kysely<Database>,
  call: PortCall,
  fences: readonly Fence[],
): Promise<unknown> {
  for (let collisions = 0; ; collisions++) {
    try {
      return await db
        .transaction()
        .execute((transaction) => runWrite({ db: transaction, engine: postgresEngine }, call, fences));
    } catch (error) {
      if (!isCollision(error) || collisions >= MAX_COLLISIONS) throw error;
    }
  }
}

async function beatProbe(db: Kysely<Database>, clock: Clock): Promise<void> {
  try {
    await db.updateTable('health_probe').set({ beat: clock.now() }).execute();
  } catch (error) {
    throw toStoreError(error);
  }
}
