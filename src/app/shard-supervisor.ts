// Leads this process's share of the shards: takes free ones up to the share, gives back what is beyond it when
// another process joins, and takes over from a process that ended.

import type { Account } from '../domain/account.ts';
import { listShards, planShare } from '../domain/shard.ts';
import { type Clock, sleep, systemClock, waitAtMost } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { ShardLeadership, ShardMembership, ShardStore, Store } from '../store/ports.ts';
import { aborted, type IngestSupervisor, type LeaderWork } from './ingest-supervisor.ts';

export interface ShardSupervisor extends IngestSupervisor {
  leads(shard: number): boolean;
}

export interface ShardSupervisorOptions {
  shards: ShardStore;
  accounts: readonly Pick<Account, 'accountId'>[];
  logger: Logger;
  /** Rebuilds the state of a shard's accounts; writes go to the given store. */
  prepare: (shard: number, store: Store) => Promise<LeaderWork>;
  /** Times the pauses; the system clock by default. */
  clock?: Clock;
}

interface Turn {
  giveBack: AbortController;
  /** From then on it no longer leads, although its work may still stop. */
  isOver: AbortSignal;
  /** Settles once the shard's state is rebuilt, or could not be. */
  prepared: Promise<void>;
  isPrepared: boolean;
  ended: Promise<void>;
}

const LOOK_EVERY_MS = 500;
const RETRY_MS = 1_000;
/** The process that joined rebuilds one shard before it gets the next. */
const GIVE_BACK_EVERY_MS = 5_000;
/** A job may take longer to stop; then the next leader's epoch refuses its writes. */
const STOP_PATIENCE_MS = 3_000;
/** How long a start waits for its first shards before it continues without. */
const FIRST_TURN_MS = 1_000;

export function createShardSupervisor(options: ShardSupervisorOptions): ShardSupervisor {
  const { logger, clock = systemClock } = options;
  const shards = listShards(options.accounts);
  const stopping = new AbortController();
  const firstTurn = Promise.withResolvers<void>();
  const turns = new Map<number, Turn>();
  let gaveBackTs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await divide(await options.shards.join(stopping.signal));
      } catch (error) {
        if (stopping.signal.aborted) break;
        logger.error({ error: errorMessage(error) }, 'dividing accounts failed; retrying');
        firstTurn.resolve();
        await sleep(clock, RETRY_MS, stopping.signal);
      }
    }
    firstTurn.resolve();
  }

  async function divide(membership: ShardMembership): Promise<void> {
    const isOver = AbortSignal.any([membership.lost, stopping.signal]);
    try {
      while (!isOver.aborted) {
        await look(membership).catch(reportLook);
        void Promise.all([...turns.values()].map(({ prepared }) => prepared)).then(() => firstTurn.resolve());
        await sleep(clock, LOOK_EVERY_MS, isOver);
      }
    } finally {
      for (const { giveBack } of turns.values()) giveBack.abort();
      await Promise.all([...turns.values()].map(({ ended }) => ended));
      await membership.leave();
    }
  }

  /** A slow answer is no reason to give everything back; a lost session is noticed by its heartbeat. */
  function reportLook(error: unknown): void {
    logger.warn({ error: errorMessage(error) }, 'other ingest processes not seen; retrying');
  }

  async function look(membership: ShardMembership): Promise<void> {
    const { processes, taken } = await membership.look();
    const held = [...turns].filter(([, { giveBack }]) => !giveBack.signal.aborted).map(([shard]) => shard);
    const plan = planShare({ shards, held, taken, processes });
    if (plan.giveBack.length > 0 && mayGiveBack()) {
      gaveBackTs = clock.now();
      for (const shard of plan.giveBack) turns.get(shard)!.giveBack.abort();
    }
    for (const shard of plan.take) if (!turns.has(shard)) await take(membership, shard);
  }

  /** A shard that is passed on before it was led stays without a leader twice as long. */
  function mayGiveBack(): boolean {
    const isRested = clock.now() - gaveBackTs >= GIVE_BACK_EVERY_MS;
    return isRested && [...turns.values()].every(({ isPrepared }) => isPrepared);
  }

  /** Another process may be faster, or a former leader's last write may still be under way. */
  async function take(membership: ShardMembership, shard: number): Promise<void> {
    try {
      const leadership = await membership.take(shard);
      if (leadership) begin(shard, leadership);
    } catch (error) {
      logger.warn({ shard, error: errorMessage(error) }, 'shard not taken; retrying');
    }
  }

  function begin(shard: number, leadership: ShardLeadership): void {
    const giveBack = new AbortController();
    const isOver = AbortSignal.any([leadership.lost, giveBack.signal, stopping.signal]);
    const prepared = Promise.withResolvers<void>();
    const ended = takeTurn(shard, leadership, isOver, prepared.resolve)
      .catch(async (error: unknown) => {
        logger.error({ shard, error: errorMessage(error) }, 'shard stopped; retrying');
        await sleep(clock, RETRY_MS, stopping.signal);
      })
      .finally(async () => {
        prepared.resolve();
        await leadership.release();
        turns.delete(shard);
      });
    const turn = { giveBack, isOver, prepared: prepared.promise, isPrepared: false, ended };
    turns.set(shard, turn);
    void prepared.promise.then(() => {
      turn.isPrepared = true;
    });
  }

  async function takeTurn(
    shard: number,
    { epoch, lost, store, release }: ShardLeadership,
    isOver: AbortSignal,
    onPrepared: () => void,
  ): Promise<void> {
    const work = await options.prepare(shard, store);
    onPrepared();
    try {
      if (isOver.aborted) return;
      work.start();
      logger.info({ shard, epoch }, 'shard leader');
      await aborted(isOver);
      if (lost.aborted) logger.warn({ shard, epoch }, 'shard lost');
      else logger.info({ shard, epoch }, 'shard given back');
    } finally {
      const stopped = work.stop();
      await waitAtMost(clock, STOP_PATIENCE_MS, stopped);
      await release();
      await stopped;
    }
  }

  return {
    async start() {
      running ??= run();
      await Promise.race([firstTurn.promise, sleep(clock, FIRST_TURN_MS, stopping.signal)]);
    },
    isLeading: () => turns.size > 0,
    leads: (shard) => turns.get(shard)?.isOver.aborted === false,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
