// Runs ingestion and its jobs while this process leads; waits while another does.

import { type Clock, sleep, systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Leadership, Store } from '../store/ports.ts';

export interface LeaderWork {
  start(): void;
  stop(): Promise<void>;
}

export interface IngestSupervisor {
  /** Resolves when this process leads and its state is rebuilt, or immediately if another one leads. */
  start(): Promise<void>;
  isLeading(): boolean;
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  store: Store;
  logger: Logger;
  /** Rebuilds state from the store; called each time leadership is won. */
  prepare: () => Promise<LeaderWork>;
  /** Pauses between attempts; real time by default. */
  clock?: Clock;
}

/** How long the start waits to lead before it continues as a standby. */
const FIRST_TURN_MS = 1_000;
const RETRY_MS = 1_000;
/** The listener opens on the rebuilt state before feeds and forecasts take the processor. */
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
      // Alone on its store, this process leads as soon as its state is rebuilt; with others it may not.
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

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
