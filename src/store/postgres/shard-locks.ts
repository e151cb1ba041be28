// Divides shards among ingest processes with advisory locks of one session per process. The session also holds a
// shared lock, so that every process sees how many live. A session that ends loses its shards at once.

import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../runtime/logger.ts';
import { rowOf } from '../leader-epoch.ts';
import {
  BEAT,
  type EpochLock,
  endQuietly,
  keepBeating,
  NO_DISK_WAIT,
  nameHolder,
  RAISE_EPOCH,
  STALE,
} from './leader-lock.ts';
import { createPgClient } from './pg-pool.ts';

const LOCKS = 7_203_015;
/** Every living process holds this one, shared. */
const MEMBERS = 0;
const ANSWER_TIMEOUT_MS = 5_000;
const RETRY_MS = 500;
/** A former leader's last write holds the epoch's row; the next look tries again. */
const LOCK_TIMEOUT_MS = 1_000;

/** Whether a row of pg_locks, named `locks`, is a lock of a shard or a member of this database. */
export const IS_SHARD = `locks.locktype = 'advisory' and locks.classid = ${LOCKS} and locks.objsubid = 2 and locks.granted
  and locks.database = (select oid from pg_database where datname = current_database())`;
const LOOK = `select locks.objid::bigint as part from pg_locks as locks where ${IS_SHARD}`;
/** A process that is stuck must not keep its shards; ending its session frees them. */
const END_STALE = `select pg_terminate_backend(locks.pid) from pg_locks as locks
  left join ingest_heartbeats as beats on beats.pid = locks.pid
  where ${IS_SHARD} and locks.objid = ${MEMBERS} and locks.pid <> pg_backend_pid() and ${STALE}`;
/** Which shards have a leader, for everyone to see. */
export const HELD_SHARDS = `select locks.objid::bigint from pg_locks as locks where ${IS_SHARD} and locks.objid <> ${MEMBERS}`;

export interface ShardSession {
  lost: AbortSignal;
  look(): Promise<{ processes: number; taken: ReadonlySet<number> }>;
  /** null if another process holds it. */
  take(shard: number): Promise<EpochLock | null>;
  leave(): Promise<void>;
}

/** Rejects only when the signal aborts. */
export async function joinShards(
  databaseUrl: string,
  signal: AbortSignal,
  logger: Logger,
): Promise<ShardSession> {
  for (;;) {
    signal.throwIfAborted();
    const client = createPgClient(databaseUrl, ANSWER_TIMEOUT_MS);
    const lost = new AbortController();
    client.on('error', (error) => lost.abort(error));
    client.on('end', () => lost.abort(new Error('the connection of the shards ended')));
    try {
      await client.connect();
      await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}; ${NO_DISK_WAIT}`);
      // Before the lock, because a member without a heartbeat counts as stuck.
      await client.query(BEAT);
      await client.query('select pg_advisory_lock_shared($1::int, $2::int)', [LOCKS, MEMBERS]);
      return openSession(client, lost);
    } catch (error) {
      await endQuietly(client);
      signal.throwIfAborted();
      logger.warn({ err: error }, 'joining the ingest processes failed; retrying');
      await wait(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}

function openSession(client: pg.Client, lost: AbortController): ShardSession {
  const left = new AbortController();
  const beating = keepBeating(client, AbortSignal.any([left.signal, lost.signal]), lost);
  lost.signal.addEventListener('abort', () => void endQuietly(client), { once: true });

  return {
    lost: lost.signal,
    async look() {
      await client.query(END_STALE);
      const { rows } = await client.query<{ part: number }>(LOOK);
      const taken = new Set(rows.map(({ part }) => part));
      taken.delete(MEMBERS);
      return { processes: rows.filter(({ part }) => part === MEMBERS).length, taken };
    },
    take: (shard) => takeShard(client, shard, lost.signal),
    async leave() {
      left.abort();
      await beating;
      client.removeAllListeners('end');
      await endQuietly(client);
    },
  };
}

async function takeShard(client: pg.Client, shard: number, lost: AbortSignal): Promise<EpochLock | null> {
  const key = [LOCKS, shard];
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1::int, $2::int) as locked',
    key,
  );
  if (!rows[0]!.locked) return null;
  const unlock = () => client.query('select pg_advisory_unlock($1::int, $2::int)', key);
  try {
    const raised = await client.query<{ epoch: number }>(
      `${RAISE_EPOCH}, holder = $2 where id = $1 returning epoch`,
      [rowOf(shard), nameHolder()],
    );
    const refused = new AbortController();
    let isReleased = false;
    return {
      part: shard,
      epoch: raised.rows[0]!.epoch,
      lost: AbortSignal.any([lost, refused.signal]),
      abandon: (reason) => refused.abort(reason),
      async release() {
        if (isReleased || lost.aborted) return;
        isReleased = true;
        await unlock().catch(() => {});
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}
