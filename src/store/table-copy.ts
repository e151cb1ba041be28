// Copies every row between databases of any engine, and compares counts and checksums inside the target's
// transaction, so a copy is either complete and correct or absent.

import { hash } from 'node:crypto';
import { StoreError } from '../runtime/errors.ts';
import type { Database } from './schema.ts';

export type TableName = keyof Database;

export interface TableReader {
  count(table: TableName): Promise<number>;
  /** Yields rows in batches, in any order, all from one point in time. */
  read(table: TableName, columns: readonly string[]): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}

/** Everything from opening to commit() is one transaction; close() without commit() rolls it back. */
export interface TableWriter extends TableReader {
  clear(table: TableName): Promise<void>;
  insert(table: TableName, columns: readonly string[], rows: readonly Row[]): Promise<void>;
  /** Ends any current leader, because its state no longer matches the store. */
  raiseEpoch(): Promise<void>;
  commit(): Promise<void>;
}

export interface CopyProgress {
  table: TableName;
  phase: 'copying' | 'checking';
  doneRows: number;
  totalRows: number;
}

export interface CopiedTable extends TableSummary {
  table: TableName;
}

/** Excludes schema version and leadership, which belong to the database and not to its data. */
export const COPIED_TABLES = [
  'posts',
  'counts',
  'counts_latest',
  'events',
  'quotes',
  'quotes_latest',
  'oracle_posts',
  'venue_past',
  'forecasts',
  'scores',
  'signals',
  'settlements',
  'happenings',
  'annotations',
  'api_keys',
  'waitlist',
  'waitlist_counter',
  'usage',
  'usage_hours',
  'payments',
  'cursors',
  'snapshots',
  'observations',
  'webhooks',
  'webhook_deliveries',
  'rules',
  'rules_revision',
  'notices',
  'watch_marks',
  'allowances',
  'store_origin',
  'log_entries',
  'seals',
  'log_head',
] as const satisfies readonly TableName[];

export interface CopyPlan {
  source: TableReader;
  target: TableWriter;
  /** Column names of each table, the same in source and target. */
  columnsOf: (table: TableName) => readonly string[];
  onProgress: (progress: CopyProgress) => void;
}

export async function copyTables(plan: CopyPlan): Promise<CopiedTable[]> {
  const totalRows = await countRows(plan.source);
  const report = createReporter(totalRows, plan.onProgress);
  const copied: CopiedTable[] = [];
  for (const table of COPIED_TABLES) copied.push({ table, ...(await copyTable(plan, table, report)) });
  for (const { table, ...expected } of copied) await checkTable(plan, table, expected, report);
  return copied;
}

type Report = (table: TableName, phase: CopyProgress['phase'], rows: number) => void;

function createReporter(rowCount: number, onProgress: CopyPlan['onProgress']): Report {
  const totalRows = rowCount * 2;
  let doneRows = 0;
  return (table, phase, rows) => {
    doneRows += rows;
    onProgress({ table, phase, doneRows, totalRows });
  };
}

async function copyTable(plan: CopyPlan, table: TableName, report: Report): Promise<TableSummary> {
  const columns = plan.columnsOf(table);
  const summary = createSummary();
  await plan.target.clear(table);
  for await (const rows of plan.source.read(table, columns)) {
    for (const row of rows) addRow(summary, row);
    await plan.target.insert(table, columns, rows);
    report(table, 'copying', rows.length);
  }
  return summary;
}

async function checkTable(
  plan: CopyPlan,
  table: TableName,
  expected: TableSummary,
  report: Report,
): Promise<void> {
  const found = createSummary();
  for await (const rows of plan.target.read(table, plan.columnsOf(table))) {
    for (const row of rows) addRow(found, row);
    report(table, 'checking', rows.length);
  }
  if (isSameSummary(expected, found)) return;
  throw new StoreError(
    `table ${table} does not match after the copy: ${describe(expected)} were read, ${describe(found)} arrived; ` +
      'nothing was changed',
    { isRetryable: false },
  );
}

function describe({ rows, checksum }: TableSummary): string {
  return `${rows} rows with checksum ${checksum.toString(16)}`;
}

async function countRows(reader: TableReader): Promise<number> {
  let rows = 0;
  for (const table of COPIED_TABLES) rows += await reader.count(table);
  return rows;
}

/** Whether a copy would overwrite anything. Ignores the waitlist's counter, which always exists. */
export async function hasRows(reader: TableReader): Promise<boolean> {
  for (const table of COPIED_TABLES) {
    if (table !== 'waitlist_counter' && (await reader.count(table)) > 0) return true;
  }
  return false;
}

const MODULUS = 1n << 128n;
const HEX_DIGITS = 32;

export type Cell = number | string | Uint8Array | null;
export type Row = readonly Cell[];

/** Its checksum is the sum of the row hashes, so it does not depend on their order. */
interface TableSummary {
  rows: number;
  checksum: bigint;
}

function createSummary(): TableSummary {
  return { rows: 0, checksum: 0n };
}

function addRow(summary: TableSummary, row: Row): void {
  const digest = hash('sha256', row.map(toText).join('\n'), 'hex').slice(0, HEX_DIGITS);
  summary.rows += 1;
  summary.checksum = (summary.checksum + BigInt(`0x${digest}`)) % MODULUS;
}

function isSameSummary(left: TableSummary, right: TableSummary): boolean {
  return left.rows === right.rows && left.checksum === right.checksum;
}

/** Includes type and length, so that different rows never have the same encoding. */
function toText(cell: Row[number]): string {
  if (cell === null) return 'null';
  if (typeof cell === 'number') return `number ${cell}`;
  if (typeof cell === 'string') return `text ${cell.length} ${cell}`;
  return `bytes ${Buffer.from(cell).toString('hex')}`;
}
