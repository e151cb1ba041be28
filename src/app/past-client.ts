// The past's thread as the leader sees it: starts it, tells it what happened, lets it end when nothing is left to do,
// because its heap is as large as the service's own, and starts it again when there is work or if it died.

import { Worker } from 'node:worker_threads';
import { speedOf } from '../../simulator/simulator-clock.ts';
import type { Config } from '../config/config.ts';
import type { AccountId } from '../domain/account.ts';
import { HOUR_MS, SECOND_MS } from '../domain/units.ts';
import type { PastOptions, PastWork } from '../jobs/past-work.ts';
import { systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Store } from '../store/ports.ts';
import type { OpenPast, PastParts } from './open-past.ts';
import type { OpenSimulator } from './open-simulator.ts';
import type { FromPast, PastThreadData, ToPast } from './past-messages.ts';

export interface PastThreadParts {
  config: Config;
  store: Pick<Store, 'lend'>;
  simulator: OpenSimulator | null;
}

interface PastThread {
  postMessage(message: ToPast): void;
}

type StartThread = (
  data: PastThreadData,
  hear: (message: FromPast) => void,
  onEnd: (cause: unknown) => void,
) => PastThread;

/** A thread that fails at once is not started again at once. */
const RESTART_AFTER_MS = 5 * SECOND_MS;
/** Venues answer with prices of open and just ended events that nobody reported. */
const LOOK_AGAIN_MS = HOUR_MS;
/** The past is not urgent: a small young generation keeps the service small. */
const NURSERY_MB = 4;

const startThread: StartThread = (data, hear, onEnd) => {
  const thread = new Worker(new URL('./past-thread.ts', import.meta.url), {
    workerData: data,
    transferList: data.store.engine === 'sqlite' ? [data.store.writer] : [],
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
  });
  thread.on('message', hear);
  thread.on('error', onEnd);
  thread.on('exit', () => onEnd(new Error('the thread has ended')));
  thread.unref();
  return thread;
};

export function createPastThreads(parts: PastThreadParts, start: StartThread = startThread): OpenPast {
  return (options, { showProblem }) => openPastThread(parts, options, showProblem, start);
}

function openPastThread(
  { config, store, simulator }: PastThreadParts,
  options: PastOptions,
  showProblem: PastParts['showProblem'],
  start: StartThread,
): PastWork {
  const { accounts, identity, awaitsPrices, clock, logger } = options;
  const unread = new Set(options.unread);
  /** Told again to a thread that replaces another. */
  const complete = new Set<AccountId>();
  const stopped = Promise.withResolvers<void>();
  let thread: PastThread | null = null;
  let isStopping = false;
  /** Asked to end because it has nothing to do. */
  let isLeaving = false;
  /** Work came while it was ending. */
  let isWanted = false;
  /** Ended with nothing to do; any work starts another. */
  let isResting = false;
  let cancelStart = () => {};

  function begin(): void {
    cancelStart();
    isResting = false;
    isWanted = false;
    const data: PastThreadData = {
      plan: { accounts, identity, awaitsPrices, unread: [...unread] },
      config,
      simulator: simulator && { urls: simulator.urls, speed: simulator.speed },
      clock: { nowTs: clock.now(), speed: speedOf(clock) },
      store: store.lend(),
    };
    const begun = start(data, hear, (cause) => end(begun, cause));
    thread = begun;
    for (const accountId of complete) tell({ kind: 'complete', accountId });
  }

  function hear(message: FromPast): void {
    if (message.kind === 'log') {
      logger[message.level](message.details, message.message);
      return;
    }
    if (message.kind === 'resting') {
      letGo();
      return;
    }
    const { accountId, evidence } = message;
    if (!evidence.reading) unread.delete(accountId);
    showProblem(null);
    options.onEvidence(accountId, evidence);
  }

  /** Not before every history is complete: until then there is soon more to do. */
  function letGo(): void {
    if (isLeaving || isStopping || complete.size < accounts.length) return;
    isLeaving = true;
    thread?.postMessage({ kind: 'stop' });
  }

  function rest(): void {
    isLeaving = false;
    showProblem(null);
    if (isWanted) begin();
    else {
      isResting = true;
      cancelStart = clock.after(LOOK_AGAIN_MS, begin);
    }
  }

  function end(ended: PastThread, cause: unknown): void {
    if (ended !== thread) return;
    thread = null;
    if (isStopping) {
      stopped.resolve();
      return;
    }
    if (isLeaving) {
      rest();
      return;
    }
    const error = errorMessage(cause);
    logger.error({ error }, 'the thread that reads the past ended; starting another');
    showProblem(`the thread that reads the past ended (${error}); another one is started`);
    cancelStart = systemClock.after(RESTART_AFTER_MS, begin);
  }

  function tell(message: ToPast): void {
    if (isLeaving) isWanted = true;
    else if (isResting && !isStopping) begin();
    else thread?.postMessage(message);
  }

  return {
    start: begin,
    noteHistoryComplete(accountId) {
      complete.add(accountId);
      tell({ kind: 'complete', accountId });
    },
    noteSettled: () => tell({ kind: 'settled' }),
    async stop() {
      isStopping = true;
      cancelStart();
      if (!thread) return;
      if (!isLeaving) thread.postMessage({ kind: 'stop' });
      await stopped.promise;
    },
  };
}
