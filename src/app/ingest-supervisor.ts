// Runs ingestion and its jobs while this process is the leader; waits while another process is.

import { type Clock, sleep, systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Leadership, Store } from '../store/ports.ts';

export interface LeaderWork {
  start(): void;
  stop(): Promise<void>;
}

export interface IngestSupervisor {
  /** Resolves when this process leads and has rebuilt its state, or after a short wait if another leads. */
  start(): Promise<void>;
  isLeading(): boolean;
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  store: Store;
  logger: Logger;
  /** Rebuilds state from the store; called each time leadership is won. */
  prepare: () => Promise<LeaderWork>;
  /** Times the pauses between attempts; the system clock by default. */
  clock?: Clock;
}

/** How long a start waits for leadership before it continues as a standby. */
const FIRST_TURN_MS = 1_000;
const RETRY_MS = 1_000;
/** Gives the listener time to open on the rebuilt state before feeds and forecasts occupy the CPU. */
const ANSWER_FIRST_MS = 200;

export function createIngestSupervisor(options: SupervisorOptions): IngestSupervisor {
  const { store, logger, prepare, clock = systemClock } = options;
  const stopping = new AbortController();
  const firstTurn = Promise.withResolvers<void>();
  let isLeading = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await takeTurn(await store.lead(stopping.signal));
      } catch (error) {
        if (stopping.signal.aborted) break;
        logger.error({ error: errorMessage(error) }, 'ingestion stopped; retrying');
        firstTurn.resolve();
        await sleep(clock, RETRY_MS, stopping.signal);
      }
    }
    firstTurn.resolve();
  }

  async function takeTurn(leadership: Leadership): Promise<void> {
    let work: LeaderWork | null = null;
    try {
      work = await prepare();
      isLeading = true;
      firstTurn.resolve();
      const isOver = AbortSignal.any([leadership.lost, stopping.signal]);
      await sleep(clock, ANSWER_FIRST_MS, isOver);
      if (isOver.aborted) return;
      work.start();
      logger.info({ epoch: leadership.epoch }, 'ingest leader');
      await aborted(isOver);
      if (leadership.lost.aborted) logger.warn({ epoch: leadership.epoch }, 'leadership lost');
    } finally {
      isLeading = false;
      await work?.stop();
      await leadership.release();
    }
  }

  return {
    async start() {
      running ??= run();
      // A process alone on its store leads as soon as its state is rebuilt; on a shared store it may not.
      const others = store.engine === 'postgres' ? [sleep(clock, FIRST_TURN_MS, stopping.signal)] : [];
      await Promise.race([firstTurn.promise, ...others]);
    },
    isLeading: () => isLeading,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
