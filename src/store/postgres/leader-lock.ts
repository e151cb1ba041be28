// Elects one ingest leader among many processes with a session advisory lock. The epoch fences off earlier
// leaders, and a heartbeat lets a standby replace a process that is alive but stuck.

import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../runtime/logger.ts';
import type { Leadership } from '../ports.ts';
import { createPgClient } from './pg-pool.ts';

const LEADER_LOCK = 7_203_003;
const POLL_PERIOD_MS = 250;
const HEARTBEAT_PERIOD_MS = 1_000;
const HEARTBEAT_TIMEOUT_MS = 3_000;
/** Measured with the server's clock, so that the machines' clocks need not agree. */
const STALE_AFTER_S = 6;
/** The epoch's row stays locked until an abandoned transaction ends. */
const TAKE_OVER_TIMEOUT_MS = 20_000;

/**
 * The server's clock in microseconds: a standby that was promoted without the last leader's row must not give out
 * that leader's epoch a second time.
 */
export const RAISE_EPOCH =
  'update leadership set epoch = greatest(epoch + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)';

const BEAT = 'update leader_heartbeat set beaten_at = clock_timestamp() where id = 1';
const IS_STALE = `select beaten_at < clock_timestamp() - interval '${STALE_AFTER_S} seconds' as stale from leader_heartbeat where id = 1`;
const END_HOLDER = `select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and objid = ${LEADER_LOCK} and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())`;

export interface LeaderLock extends Leadership {
  /** Stops leading immediately, because a write was refused. */
  abandon(reason: unknown): void;
}

/** Waits until this process holds the lock; rejects only when the signal aborts. */
export async function acquireLeaderLock(
  databaseUrl: string,
  signal: AbortSignal,
  logger: Logger,
): Promise<LeaderLock> {
  for (;;) {
    signal.throwIfAborted();
    const client = createPgClient(databaseUrl, TAKE_OVER_TIMEOUT_MS);
    const lost = new AbortController();
    client.on('error', (error) => lost.abort(error));
    client.on('end', () => lost.abort(new Error('the leader connection ended')));
    try {
      await client.connect();
      await waitForLock(client, AbortSignal.any([signal, lost.signal]));
      const epoch = await beginEpoch(client);
      return keepLeading(client, epoch, lost);
    } catch (error) {
      await endQuietly(client);
      signal.throwIfAborted();
      logger.warn({ err: error }, 'leader election failed; retrying');
      await wait(POLL_PERIOD_MS * 2, undefined, { signal }).catch(() => {});
    }
  }
}

async function waitForLock(client: pg.Client, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      LEADER_LOCK,
    ]);
    if (rows[0]!.locked) return;
    const heartbeat = await client.query<{ stale: boolean }>(IS_STALE);
    // The holder timed out. Ending its session frees the lock, and the epoch blocks its writes.
    if (heartbeat.rows[0]!.stale) await client.query(END_HOLDER);
    await wait(POLL_PERIOD_MS, undefined, { signal });
  }
}

async function beginEpoch(client: pg.Client): Promise<number> {
  await client.query(BEAT);
  const { rows } = await client.query<{ epoch: number }>(`${RAISE_EPOCH} where id = 1 returning epoch`);
  return rows[0]!.epoch;
}

function keepLeading(client: pg.Client, epoch: number, lost: AbortController): LeaderLock {
  const released = new AbortController();
  const ended = AbortSignal.any([released.signal, lost.signal]);

  async function beat(): Promise<void> {
    while (!ended.aborted) {
      await wait(HEARTBEAT_PERIOD_MS, undefined, { signal: ended, ref: false }).catch(() => {});
      if (!ended.aborted) await withTimeout(client.query(BEAT));
    }
  }
  const beating = beat().catch((error: unknown) => lost.abort(error));
  lost.signal.addEventListener('abort', () => void endQuietly(client), { once: true });

  return {
    epoch,
    lost: lost.signal,
    abandon: (reason) => lost.abort(reason),
    async release() {
      released.abort();
      await beating;
      client.removeAllListeners('end');
      await endQuietly(client);
    },
  };
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const late = wait(HEARTBEAT_TIMEOUT_MS, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`no heartbeat within ${HEARTBEAT_TIMEOUT_MS} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timeout.abort();
    late.catch(() => {});
    work.catch(() => {});
  }
}

async function endQuietly(client: pg.Client): Promise<void> {
  await client.end().catch(() => {});
}
