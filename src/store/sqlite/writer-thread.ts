// The writer thread: owns the write connection and commits in groups.

import type { MessagePort } from 'node:worker_threads';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { LostLeadershipError } from '../leader-epoch.ts';
import { createKysely, createRunEach, openWritable } from './connection.ts';
import { sqliteEngine, toStoreError } from './sqlite-engine.ts';
import type { WriteConnection, WriteOutcome, WriteRequest } from './write-batch.ts';
import { runBatch } from './write-batch.ts';

/** Limits how long a batch's first request waits for its last. */
const MAX_BATCH = 256;

export type WriterMessage = WriteRequest | 'close';

/** Errors lose their class between threads; these fields of a StoreError are preserved. */
export interface WriterError {
  message: string;
  isRetryable: boolean;
  isLostLeadership: boolean;
}

export type WriterAnswer = { requestId: number } & ({ value: unknown } | { error: WriterError });

function serve(port: MessagePort, connection: WriteConnection): void {
  const queue: WriterMessage[] = [];
  let isRunning = false;

  async function drain(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      receiveWaiting(port, queue);
      const { requests, isClosing } = takeBatch(queue);
      if (requests.length > 0) port.postMessage((await runBatch(connection, requests)).map(toAnswer));
      if (isClosing) return close(port, connection);
      receiveWaiting(port, queue);
    }
    isRunning = false;
  }

  port.on('message', (message: WriterMessage) => {
    queue.push(message);
    if (!isRunning) void drain();
  });
}

/** Takes requests received during the last commit, without waiting for the event loop. */
function receiveWaiting(port: MessagePort, queue: WriterMessage[]): void {
  while (queue.length < MAX_BATCH) {
    const received = receiveMessageOnPort(port);
    if (!received) return;
    queue.push(received.message as WriterMessage);
  }
}

function takeBatch(queue: WriterMessage[]): { requests: WriteRequest[]; isClosing: boolean } {
  const batch = queue.splice(0, MAX_BATCH);
  const closing = batch.indexOf('close');
  const requests = (closing < 0 ? batch : batch.slice(0, closing)) as WriteRequest[];
  return { requests, isClosing: closing >= 0 };
}

function close(port: MessagePort, connection: WriteConnection): void {
  connection.database.close();
  port.close();
}

function toAnswer(outcome: WriteOutcome): WriterAnswer {
  if ('value' in outcome) return outcome;
  const { message, isRetryable } = toStoreError(outcome.error);
  const isLostLeadership = outcome.error instanceof LostLeadershipError;
  return { requestId: outcome.requestId, error: { message, isRetryable, isLostLeadership } };
}

const database = openWritable((workerData as { path: string }).path);
serve(parentPort!, {
  db: createKysely(database),
  engine: sqliteEngine,
  runEach: createRunEach(database),
  database,
});
