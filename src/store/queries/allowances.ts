// What each process granted to each caller in the last hour; see src/access/saved-windows.ts.

import type { Connection } from '../engine.ts';
import { type Columns, replaceRows } from './many-rows.ts';

/** Requests that leave the window at `expiresTs`, oldest first. */
type Entries = [expiresTs: number, requests: number][];

export interface SavedWindow {
  caller: string;
  process: string;
  entries: Entries;
  /** When the last entry expires. */
  expiresTs: number;
  savedTs: number;
}

const COLUMNS: Columns<{
  caller: string;
  process: string;
  entries: string;
  expires_ts: number;
  saved_ts: number;
}> = { caller: 'text', process: 'text', entries: 'text', expires_ts: 'bigint', saved_ts: 'bigint' };

export function createAllowanceQueries(connection: Connection) {
  const { db, engine } = connection;
  return {
    async put(windows: readonly SavedWindow[]): Promise<void> {
      await engine.commitWithoutWaiting(db);
      const rows = windows.map(({ caller, process, entries, expiresTs, savedTs }) => ({
        ...{ caller, process, entries: JSON.stringify(entries) },
        ...{ expires_ts: expiresTs, saved_ts: savedTs },
      }));
      await replaceRows(connection, 'allowances', COLUMNS, ['caller', 'process'], rows);
    },

    /** Windows that were saved after `sinceTs` and have not expired at `nowTs`. */
    async listSince(sinceTs: number, nowTs: number): Promise<SavedWindow[]> {
      const rows = await db
        .selectFrom('allowances')
        .selectAll()
        .where('saved_ts', '>', sinceTs)
        .where('expires_ts', '>', nowTs)
        .execute();
      return rows.map(({ caller, process, entries, expires_ts, saved_ts }) => ({
        ...{ caller, process, entries: JSON.parse(entries) as Entries },
        ...{ expiresTs: expires_ts, savedTs: saved_ts },
      }));
    },

    async prune(beforeTs: number) {
      const deleted = await db.deleteFrom('allowances').where('expires_ts', '<', beforeTs).executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}
