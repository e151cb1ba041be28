// Client for the writer thread: sends work, matches replies, and restarts the thread if it dies.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { errorMessage, StoreError } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { LostLeadershipError } from '../leader-epoch.ts';
import type { WriteWork } from './write-batch.ts';
import type { WriterAnswer, WriterError, WriterMessage } from './writer-thread.ts';

export interface Writer {
  /** Resolves when the work is durable. */
  send(work: WriteWork): Promise<unknown>;
  /** A way to the same thread for another thread; it closes when the thread ends. */
  lend(): MessagePort;
  /** Finishes queued work, then ends the thread. */
  close(): Promise<void>;
}

/** Requests to the writer thread that wait for their answers. */
function createRequests(post: (message: WriterMessage) => void) {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastRequestId = 0;
  return {
    send(work: WriteWork): Promise<unknown> {
      const requestId = ++lastRequestId;
      const answer = Promise.withResolvers<unknown>();
      pending.set(requestId, answer);
      post({ requestId, work });
      return answer.promise;
    },
    settle(answers: readonly WriterAnswer[]): void {
      for (const answer of answers) {
        const request = pending.get(answer.requestId);
        pending.delete(answer.requestId);
        if ('error' in answer) request?.reject(toError(answer.error));
        else request?.resolve(answer.value);
      }
    },
    failAll(error: StoreError): void {
      for (const request of pending.values()) request.reject(error);
      pending.clear();
    },
  };
}

/** The writer as a borrowing thread sees it; `onEnd` when the writer thread has ended. */
export function borrowWriter(port: MessagePort, onEnd: () => void): Pick<Writer, 'send'> {
  const requests = createRequests((message) => port.postMessage(message));
  port.on('message', requests.settle);
  port.on('close', () => {
    requests.failAll(new StoreError('store: the writer thread has ended', { isRetryable: true }));
    onEnd();
  });
  return { send: requests.send };
}

export function createWriter(path: string, logger: Logger): Writer {
  let worker: Worker | null = start();
  let isClosed = false;
  const requests = createRequests((message) => reach().postMessage(message));

  function start(): Worker {
    const started = new Worker(new URL('./writer-thread.ts', import.meta.url), {
      workerData: { path },
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    started.on('message', (answers: WriterAnswer[]) => requests.settle(answers));
    started.on('error', (error) => fail(started, error));
    started.on('exit', () => fail(started, new Error('the writer thread has ended')));
    return started;
  }

  function reach(): Worker {
    worker ??= start();
    return worker;
  }

  function fail(ended: Worker, cause: unknown): void {
    if (ended !== worker) return;
    worker = null;
    if (!isClosed) logger.error({ err: cause }, 'store writer stopped; restarting on next write');
    requests.failAll(new StoreError(`store: ${errorMessage(cause)}`, { isRetryable: true, cause }));
  }

  return {
    async send(work) {
      if (isClosed) throw new StoreError('store: closed', { isRetryable: false });
      return requests.send(work);
    },
    lend() {
      const { port1, port2 } = new MessageChannel();
      reach().postMessage({ joins: port1 } satisfies WriterMessage, [port1]);
      return port2;
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
