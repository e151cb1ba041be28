// The leader's store for another of its threads. It reads on its own connection; its writes are the leader's.

import type { MessagePort } from 'node:worker_threads';
import type { Ports } from './queries/all-queries.ts';

/** Can be sent to a thread once; `writer` must be in the list of what is transferred. */
export type LentStore = LentSqlite | LentPostgres;

export interface LentSqlite {
  engine: 'sqlite';
  path: string;
  leaderEpoch: number | null;
  /** To the one writer thread. */
  writer: MessagePort;
}

export interface LentPostgres {
  engine: 'postgres';
  databaseUrl: string;
  isBehindPooler: boolean;
  leaderEpoch: number | null;
}

export type LentPorts = Ports & { close(): Promise<void> };
