// Group commit: all waiting requests share one transaction and one disk sync. Each has its own savepoint, so
// a failure affects no other request.

import type { DatabaseSync } from 'node:sqlite';
import type { Connection } from '../engine.ts';
import type { PortCall } from '../port-call.ts';
import { runWrite } from '../port-call.ts';
import { isEngineTrouble, raiseEpoch } from './sqlite-engine.ts';

export type WriteWork =
  | { kind: 'call'; call: PortCall; leaderEpoch: number | null }
  | { kind: 'lead' }
  | { kind: 'probe'; beat: number };

export interface WriteRequest {
  requestId: number;
  work: WriteWork;
}

export type WriteOutcome = { requestId: number } & ({ value: unknown } | { error: unknown });

export interface WriteConnection extends Connection {
  database: DatabaseSync;
}

export async function runBatch(
  connection: WriteConnection,
  requests: readonly WriteRequest[],
): Promise<WriteOutcome[]> {
  try {
    return await runInOneTransaction(connection, requests);
  } catch (error) {
    if (requests.length === 1) return [{ requestId: requests[0]!.requestId, error }];
    // One large request may have filled the disk, so try each request separately.
    const outcomes: WriteOutcome[] = [];
    for (const request of requests) outcomes.push(...(await runBatch(connection, [request])));
    return outcomes;
  }
}

async function runInOneTransaction(
  connection: WriteConnection,
  requests: readonly WriteRequest[],
): Promise<WriteOutcome[]> {
  const { database } = connection;
  database.exec('begin immediate');
  try {
    const outcomes: WriteOutcome[] = [];
    for (const request of requests) outcomes.push(await runBehindSavepoint(connection, request));
    database.exec('commit');
    return outcomes;
  } catch (error) {
    // SQLite has already rolled back after some errors.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

async function runBehindSavepoint(
  connection: WriteConnection,
  { requestId, work }: WriteRequest,
): Promise<WriteOutcome> {
  const { database } = connection;
  database.exec('savepoint request');
  try {
    const value = await runWork(connection, work);
    database.exec('release request');
    return { requestId, value };
  } catch (error) {
    if (isEngineTrouble(error) || !database.isTransaction) throw error;
    database.exec('rollback to request');
    database.exec('release request');
    return { requestId, error };
  }
}

function runWork(connection: WriteConnection, work: WriteWork): Promise<unknown> {
  switch (work.kind) {
    case 'call':
      return runWrite(connection, work.call, work.leaderEpoch);
    case 'lead':
      return raiseEpoch(connection.db);
    case 'probe':
      return connection.db
        .updateTable('health_probe')
        .set({ beat: work.beat })
        .execute()
        .then(() => undefined);
  }
}
