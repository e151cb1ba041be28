// The PostgreSQL store, shared by any number of processes.

import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Clock } from '../../runtime/clock.ts';
import { StoreError } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { SCHEMA_VERSION } from '../create-schema.ts';
import { LostLeadershipError, readEpoch } from '../leader-epoch.ts';
import type { LentPorts, LentPostgres } from '../lent-store.ts';
import type { PortCall } from '../port-call.ts';
import { createPorts, runCall, runWrite } from '../port-call.ts';
import type { Store } from '../ports.ts';
import type { Database } from '../schema.ts';
import { createWriteHealth } from '../write-health.ts';
import { acquireLeaderLock, type EpochLock } from './leader-lock.ts';
import { isCollision, isConnectionTrouble, toStoreError } from './pg-errors.ts';
import { createPgClient, createPgKysely } from './pg-pool.ts';
import { postgresEngine, preparePostgres } from './postgres-engine.ts';
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
  await prepareDatabase(directUrl, logger);
  const db = createPgKysely({ databaseUrl, isBehindPooler: directUrl !== databaseUrl, poolSize, logger });
  const health = createWriteHealth(() => beatProbe(db, clock));
  const closing = new AbortController();
  let leader: EpochLock | null = null;

  async function write(call: PortCall): Promise<unknown> {
    const lock = leader;
    try {
      return await writeInTransaction(db, call, lock?.epoch ?? null);
    } catch (error) {
      if (error instanceof LostLeadershipError) lock?.abandon(error);
      throw toStoreError(error);
    }
  }

  const ports = createPorts({
    read: (call) => readWithRetry(db, call),
    write: (call) => health.watch(write(call)),
  });
  const listener = createSnapshotListener({
    databaseUrl: directUrl,
    logger,
    readVersions: () => ports.snapshots.versions(),
  });
  return {
    engine: 'postgres',
    ...ports,
    snapshots: { ...ports.snapshots, listen: listener.add },
    async lead(signal) {
      await leader?.release();
      const lock = await acquireLeaderLock(directUrl, AbortSignal.any([signal, closing.signal]), logger);
      // The store closed while taking the lock: release it here, because no one else will.
      if (closing.signal.aborted) await lock.release();
      closing.signal.throwIfAborted();
      return (leader = lock);
    },
    readEpoch: () => readEpoch(db),
    health: health.check,
    lend: () => ({
      ...{ engine: 'postgres', databaseUrl, isBehindPooler: directUrl !== databaseUrl },
      leaderEpoch: leader?.epoch ?? null,
    }),
    async close() {
      closing.abort(new StoreError('store: closed', { isRetryable: false }));
      await listener.close();
      await leader?.release();
      await db.destroy();
    },
  };
}

/** A few connections: one job reads or writes at a time. */
const LENT_CONNECTIONS = 2;

/** The store on another thread; its writes are refused like the leader's once another process leads. */
export async function borrowPostgresStore(
  { databaseUrl, isBehindPooler, leaderEpoch }: LentPostgres,
  logger: Logger,
): Promise<LentPorts> {
  const db = createPgKysely({ databaseUrl, isBehindPooler, poolSize: LENT_CONNECTIONS, logger });
  const write = (call: PortCall) =>
    writeInTransaction(db, call, leaderEpoch).catch((error: unknown) => {
      throw toStoreError(error);
    });
  return { ...createPorts({ read: (call) => readWithRetry(db, call), write }), close: () => db.destroy() };
}

async function prepareDatabase(databaseUrl: string, logger: Logger): Promise<void> {
  const client = createPgClient(databaseUrl, 0);
  client.on('error', () => {});
  try {
    await client.connect();
    if (await preparePostgres(client)) logger.info({ version: SCHEMA_VERSION }, 'store created');
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
  leaderEpoch: number | null,
): Promise<unknown> {
  for (let collisions = 0; ; collisions++) {
    try {
      return await db
        .transaction()
        .execute((transaction) => runWrite({ db: transaction, engine: postgresEngine }, call, leaderEpoch));
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
