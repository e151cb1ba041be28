// Uses more than one core: the first process ingests and N workers serve requests on one port. A dead worker
// is replaced.

import cluster, { type Worker } from 'node:cluster';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { AllowanceJournal } from '../access/allowance-journal.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { BoardReader } from '../state/board.ts';
import { createAllowanceService } from './allowance-service.ts';
import { mergeMetrics } from './merge-metrics.ts';
import { createSnapshotRelay } from './snapshot-relay.ts';
import type { FromWorker, ToWorker, WorkerBegin } from './worker-messages.ts';

export interface WorkerPool {
  pids(): number[];
  /** Metrics of all processes, each sample labelled with its worker's number, or `first` for this process. */
  metricsText(): Promise<string>;
  /** Lets open requests finish. */
  stop(): Promise<void>;
}

export interface WorkerPoolOptions {
  count: number;
  begin: Omit<WorkerBegin, 'steadyTs'>;
  board: BoardReader;
  logger: Logger;
  /** Journal for this process's allowances. */
  journal: AllowanceJournal | null;
  /** Uses steady time, which ignores clock changes. */
  allowanceClock: Clock;
  /** Metrics of this process. */
  ownMetrics: () => Promise<string>;
  clock?: Clock;
}

interface Member {
  worker: Worker;
  ready: Promise<void>;
  leave: () => void;
  startedTs: number;
}

const ENTRY = fileURLToPath(new URL('../bin/worker.ts', import.meta.url));
/** Longer than a worker waits for open requests. */
const STOP_WITHIN_MS = 13_000;
const METRICS_WITHIN_MS = 2_000;
/** A worker that dies within this time of starting is not replaced immediately. */
const HEALTHY_AFTER_MS = 5_000;
const RETRY_MS = 1_000;

/** Resolves when every worker is ready; rejects if one cannot start. */
export async function startWorkers(options: WorkerPoolOptions): Promise<WorkerPool> {
  const { count, board, begin, logger, allowanceClock, clock = systemClock } = options;
  const accountIds = begin.config.accounts.map(({ accountId }) => accountId);
  const relay = createSnapshotRelay({ board, accountIds, clock });
  const service = createAllowanceService(allowanceClock, options.journal);
  const members = new Map<number, Member>();
  let isStopping = false;
  let cancelRetry = () => {};
  cluster.setupPrimary({
    exec: ENTRY,
    args: [],
    execArgv: process.execArgv.filter(isForWorkers),
    // Snapshots are strings of about 100 kB; nested JSON would escape every quote in them.
    serialization: 'advanced',
  });

  function hire(slot: number): Promise<void> {
    const worker = cluster.fork();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => {});
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve();
      if (message.kind === 'failed') reject(new Error(`worker ${slot}: ${message.problem}`));
      service.serve(message, (answer) => send(worker, answer));
    });
    worker.once('exit', (code, signal) => {
      reject(new Error(`worker ${slot} ended: ${signal ?? code}`));
      members.get(slot)?.leave();
      replace(slot, signal ?? code);
    });
    send(worker, { ...begin, steadyTs: allowanceClock.now() });
    const leave = relay.join((message, onSent) => send(worker, message, onSent));
    members.set(slot, { worker, ready: promise, leave, startedTs: clock.now() });
    return promise;
  }

  function replace(slot: number, reason: string | number): void {
    const gone = members.get(slot);
    members.delete(slot);
    if (isStopping || !gone) return;
    logger.error({ worker: slot, reason }, 'worker exited; restarting');
    const isHealthy = clock.now() - gone.startedTs >= HEALTHY_AFTER_MS;
    cancelRetry = clock.after(isHealthy ? 0 : RETRY_MS, () => {
      if (!isStopping) hire(slot).catch(() => {});
    });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    cancelRetry();
    relay.stop();
    await Promise.all([...members.values()].map(({ worker }) => dismiss(worker, clock)));
  }

  try {
    await Promise.all(Array.from({ length: count }, (_, i) => hire(i + 1)));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pids: () => [...members.values()].map(({ worker }) => worker.process.pid!),
    async metricsText() {
      const asked = [...members].map(async ([slot, { worker }]) => [
        String(slot),
        await askMetrics(worker, clock),
      ]);
      const texts = new Map((await Promise.all(asked)) as [string, string][]);
      return mergeMetrics(texts.set('first', await options.ownMetrics()));
    },
    stop,
  };
}

/** Flags for the test runner and for inline code do not apply to child processes. */
function isForWorkers(flag: string): boolean {
  return !flag.startsWith('--test') && !flag.startsWith('--input-type') && flag !== '-e' && flag !== '--eval';
}

/** A worker that just died cannot receive messages. */
function send(worker: Worker, message: ToWorker, onSent: () => void = () => {}): void {
  if (worker.isConnected()) worker.send(message, () => onSent());
  else onSent();
}

async function dismiss(worker: Worker, clock: Clock): Promise<void> {
  if (worker.isDead()) return;
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  send(worker, { kind: 'stop' });
  const cancel = clock.after(STOP_WITHIN_MS, () => worker.process.kill('SIGKILL'));
  await gone;
  cancel();
}

let lastRequestId = 0;

/** Resolves with an empty string if the worker does not respond in time. */
function askMetrics(worker: Worker, clock: Clock): Promise<string> {
  const requestId = ++lastRequestId;
  return new Promise((resolve) => {
    const finish = (text: string) => {
      cancel();
      worker.off('message', read);
      resolve(text);
    };
    const read = (message: FromWorker) => {
      if (message.kind === 'metrics' && message.requestId === requestId) finish(message.text);
    };
    const cancel = clock.after(METRICS_WITHIN_MS, () => finish(''));
    worker.on('message', read);
    send(worker, { kind: 'metrics', requestId });
  });
}

/** Picks one port for all workers, including those started later. */
export async function chooseSharedPort(host: string, port: number): Promise<number> {
  if (port !== 0) return port;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, host, resolve);
  });
  const address = probe.address() as { port: number };
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return address.port;
}
