// A SQLite file as a copy's source or target.

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Row, TableName, TableReader, TableWriter } from '../table-copy.ts';
import { openReadOnly, openWritable } from './connection.ts';

const BATCH_ROWS = 2_000;

export function openSqliteReader(path: string): TableReader {
  const database = openReadOnly(path);
  database.exec('begin');
  return createReader(database);
}

export function openSqliteWriter(path: string): TableWriter {
  const database = openWritable(path);
  database.exec('begin immediate');
  return {
    ...createReader(database),
    async clear(table) {
      database.exec(`delete from ${table}`);
    },
    async insert(table, columns, rows) {
      const marks = columns.map(() => '?').join(', ');
      const statement = database.prepare(`insert into ${table} (${quoteAll(columns)}) values (${marks})`);
      for (const row of rows) statement.run(...(row as SQLInputValue[]));
    },
    async raiseEpoch() {
      database.exec('update leadership set epoch = epoch + 1');
    },
    async commit() {
      database.exec('commit');
    },
  };
}

export function readColumns(path: string): (table: TableName) => readonly string[] {
  const database = openReadOnly(path);
  try {
    const rows = database
      .prepare(
        `select m.name as table_name, c.name as column_name
         from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' order by m.name, c.cid`,
      )
      .all() as { table_name: string; column_name: string }[];
    const columns = Map.groupBy(rows, (row) => row.table_name);
    return (table) => (columns.get(table) ?? []).map((row) => row.column_name);
  } finally {
    database.close();
  }
}

function createReader(database: DatabaseSync): TableReader {
  return {
    async count(table) {
      const row = database.prepare(`select count(*) as count from ${table}`).get();
      return Number(row?.count);
    },
    async *read(table, columns) {
      const statement = database.prepare(`select ${quoteAll(columns)} from ${table}`);
      statement.setReturnArrays(true);
      let batch: Row[] = [];
      for (const row of statement.iterate() as Iterable<unknown>) {
        batch.push(row as Row);
        if (batch.length < BATCH_ROWS) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    async close() {
      database.close();
    },
  };
}

function quoteAll(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}
