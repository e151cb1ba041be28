// Elects one ingest leader among many processes with a session advisory lock. The epoch fences off earlier
// leaders, and a heartbeat lets a standby replace a process that is alive but stuck.

import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { SECOND_MS } from '../../domain/units.ts';
import { type Clock, sleep, systemClock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Leadership } from '../ports.ts';
import { createPgClient } from './pg-pool.ts';

const LEADER_LOCK = 7_203_003;
const POLL_PERIOD_MS = 250;
const HEARTBEAT_PERIOD_MS = 1_000;
/** Seconds in which this process could have read the answer: while it stalls, only one passes. */
const HEARTBEAT_PATIENCE_S = 3;
/** Measured with the server's clock, so that the machines' clocks need not agree. */
const STALE_AFTER_S = 6;
/** A candidate beats too, because a holder without a heartbeat counts as stuck. */
const BEAT_EVERY_POLLS = 8;
/** The epoch's row stays locked until an abandoned transaction ends. */
const TAKE_OVER_TIMEOUT_MS = 20_000;

/**
 * The server's clock in microseconds: a standby that was promoted without the last leader's row must not give out
 * that leader's epoch a second time.
 */
const RAISE_EPOCH = `update leadership
  set epoch = greatest(epoch + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint) returning epoch`;

const BEAT = `insert into ingest_heartbeats (pid, beaten_at) values (pg_backend_pid(), clock_timestamp())
  on conflict (pid) do update set beaten_at = excluded.beaten_at`;
/** A heartbeat must not wait for the disk. A write under a new epoch reaches the disk after the epoch does. */
const NO_DISK_WAIT = 'set synchronous_commit = off';
const FORGET_ENDED =
  "delete from ingest_heartbeats where beaten_at < clock_timestamp() - interval '1 hour' and pid <> pg_backend_pid()";
const STALE = `coalesce(beats.beaten_at, '-infinity') < clock_timestamp() - interval '${STALE_AFTER_S} seconds'`;
const IS_LEADER = `locks.locktype = 'advisory' and locks.objid = ${LEADER_LOCK} and locks.objsubid = 1 and locks.granted
  and locks.database = (select oid from pg_database where datname = current_database())`;
/** The holder timed out. Ending its session frees the lock, and the epoch blocks its writes. */
const END_STALE_HOLDER = `select pg_terminate_backend(locks.pid) from pg_locks as locks
  left join ingest_heartbeats as beats on beats.pid = locks.pid where ${IS_LEADER} and ${STALE}`;

export interface EpochLock extends Leadership {
  /** Stops leading immediately, because a write was refused. */
  abandon(reason: unknown): void;
}

/** Waits until this process holds the lock; rejects only when the signal aborts. */
export async function acquireLeaderLock(
  databaseUrl: string,
  signal: AbortSignal,
  logger: Logger,
): Promise<EpochLock> {
  for (;;) {
    signal.throwIfAborted();
    const client = createPgClient(databaseUrl, TAKE_OVER_TIMEOUT_MS);
    const lost = new AbortController();
    client.on('error', (error) => lost.abort(error));
    client.on('end', () => lost.abort(new Error('the leader connection ended')));
    try {
      await client.connect();
      await client.query(NO_DISK_WAIT);
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
  for (let poll = 0; ; poll++) {
    if (poll % BEAT_EVERY_POLLS === 0) await client.query(BEAT);
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      LEADER_LOCK,
    ]);
    if (rows[0]!.locked) return;
    await client.query(END_STALE_HOLDER);
    await wait(POLL_PERIOD_MS, undefined, { signal });
  }
}

async function beginEpoch(client: pg.Client): Promise<number> {
  await client.query(BEAT);
  await client.query(FORGET_ENDED);
  const { rows } = await client.query<{ epoch: number }>(RAISE_EPOCH);
  return rows[0]!.epoch;
}

/** Beats until the signal ends it; a failure aborts `lost`. */
export async function keepBeating(
  client: pg.Client,
  ended: AbortSignal,
  lost: AbortController,
  clock: Clock = systemClock,
): Promise<void> {
  try {
    while (!ended.aborted) {
      await sleep(clock, HEARTBEAT_PERIOD_MS, ended);
      if (!ended.aborted) await answerInTime(client.query(BEAT), clock);
    }
  } catch (error) {
    lost.abort(error);
  }
}

function keepLeading(client: pg.Client, epoch: number, lost: AbortController): EpochLock {
  const released = new AbortController();
  const beating = keepBeating(client, AbortSignal.any([released.signal, lost.signal]), lost);
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

async function answerInTime(work: Promise<unknown>, clock: Clock): Promise<void> {
  const answered = new AbortController();
  const { signal } = answered;
  const done = work.finally(() => answered.abort());
  done.catch(() => {});
  for (let s = 0; s < HEARTBEAT_PATIENCE_S && !signal.aborted; s++) await sleep(clock, SECOND_MS, signal);
  // After a stall the timer fires before an answer that has arrived meanwhile is read.
  if (!signal.aborted) await nextTurn();
  if (!signal.aborted) throw new Error(`no heartbeat within ${HEARTBEAT_PATIENCE_S} s`);
  await done;
}

async function endQuietly(client: pg.Client): Promise<void> {
  await client.end().catch(() => {});
}
