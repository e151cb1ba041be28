// Client for the writer thread: sends work, matches replies, and restarts the thread if it dies.

import { Worker } from 'node:worker_threads';
import { errorMessage, StoreError } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { LostLeadershipError } from '../leader-epoch.ts';
import type { WriteWork } from './write-batch.ts';
import type { WriterAnswer, WriterError, WriterMessage } from './writer-thread.ts';

export interface Writer {
  /** Resolves when the work is durable. */
  send(work: WriteWork): Promise<unknown>;
  /** Finishes queued work, then ends the thread. */
  close(): Promise<void>;
}

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export function createWriter(path: string, logger: Logger): Writer {
  const pending = new Map<number, Pending>();
  let lastRequestId = 0;
  let worker: Worker | null = start();
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(new URL('./writer-thread.ts', import.meta.url), {
      workerData: { path },
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    started.on('message', (answers: WriterAnswer[]) => answers.forEach(settle));
    started.on('error', (error) => fail(started, error));
    started.on('exit', () => fail(started, new Error('the writer thread has ended')));
    return started;
  }

  function settle(answer: WriterAnswer): void {
    const request = pending.get(answer.requestId);
    pending.delete(answer.requestId);
    if ('error' in answer) request?.reject(toError(answer.error));
    else request?.resolve(answer.value);
  }

  function fail(ended: Worker, cause: unknown): void {
    if (ended !== worker) return;
    worker = null;
    if (!isClosed) logger.error({ err: cause }, 'store writer stopped; restarting on next write');
    const error = new StoreError(`store: ${errorMessage(cause)}`, { isRetryable: true, cause });
    for (const request of pending.values()) request.reject(error);
    pending.clear();
  }

  return {
    send(work) {
      if (isClosed) {
        return Promise.reject(new StoreError('store: closed', { isRetryable: false }));
      }
      const requestId = ++lastRequestId;
      return new Promise((resolve, reject) => {
        pending.set(requestId, { resolve, reject });
        worker ??= start();
        worker.postMessage({ requestId, work } satisfies WriterMessage);
      });
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      const closing = worker;
      if (!closing) return;
      const exited = new Promise((resolve) => closing.once('exit', resolve));
      closing.postMessage('close' satisfies WriterMessage);
      await exited;
    },
  };
}

function toError({ message, isRetryable, isLostLeadership }: WriterError): StoreError {
  return isLostLeadership ? new LostLeadershipError(message) : new StoreError(message, { isRetryable });
}
