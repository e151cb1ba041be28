// The writer thread: owns the write connection and commits in groups, for the thread that started it and for those
// that it was lent to.

import type { MessagePort } from 'node:worker_threads';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { LostLeadershipError } from '../leader-epoch.ts';
import { createKysely, createRunEach, openWritable } from './connection.ts';
import { sqliteEngine, toStoreError } from './sqlite-engine.ts';
import type { WriteConnection, WriteOutcome, WriteRequest } from './write-batch.ts';
import { runBatch } from './write-batch.ts';

/** Limits how long a batch's first request waits for its last. */
const MAX_BATCH = 256;

/** `joins` is another thread's end, which sends requests only. */
export type WriterMessage = WriteRequest | { joins: MessagePort } | 'close';

/** Errors lose their class between threads; these fields of a StoreError are preserved. */
export interface WriterError {
  message: string;
  isRetryable: boolean;
  isLostLeadership: boolean;
}

export type WriterAnswer = { requestId: number } & ({ value: unknown } | { error: WriterError });

interface Waiting {
  message: WriteRequest | 'close';
  from: MessagePort;
}

function serve(own: MessagePort, connection: WriteConnection): void {
  const ports = new Set<MessagePort>();
  const queue: Waiting[] = [];
  let isRunning = false;

  function join(port: MessagePort): void {
    ports.add(port);
    port.on('close', () => ports.delete(port));
    port.on('message', (message: WriterMessage) => {
      accept(message, port);
      if (!isRunning) void drain();
    });
  }

  function accept(message: WriterMessage, from: MessagePort): void {
    if (message !== 'close' && 'joins' in message) join(message.joins);
    else queue.push({ message, from });
  }

  /** Takes requests received during the last commit, without waiting for the event loop. */
  function receiveWaiting(): void {
    for (const port of ports) {
      while (queue.length < MAX_BATCH) {
        const received = receiveMessageOnPort(port);
        if (!received) break;
        accept(received.message as WriterMessage, port);
      }
    }
  }

  async function drain(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      receiveWaiting();
      const { requests, isClosing } = takeBatch(queue);
      if (requests.length > 0) await run(requests);
      if (isClosing) return close();
      receiveWaiting();
    }
    isRunning = false;
  }

  async function run(requests: readonly Request[]): Promise<void> {
    const outcomes = await runBatch(
      connection,
      requests.map(({ message }) => message),
    );
    const answers = outcomes.map((outcome, i) => ({ to: requests[i]!.from, answer: toAnswer(outcome) }));
    for (const [port, own] of Map.groupBy(answers, ({ to }) => to))
      port.postMessage(own.map(({ answer }) => answer));
  }

  function close(): void {
    connection.database.close();
    for (const port of ports) port.close();
  }

  join(own);
}

interface Request extends Waiting {
  message: WriteRequest;
}

/** What came after the owner's wish to close is not run. */
function takeBatch(queue: Waiting[]): { requests: Request[]; isClosing: boolean } {
  const batch = queue.splice(0, MAX_BATCH);
  const closing = batch.findIndex(({ message }) => message === 'close');
  const requests = (closing < 0 ? batch : batch.slice(0, closing)) as Request[];
  return { requests, isClosing: closing >= 0 };
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
