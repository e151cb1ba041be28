// Moves a month of order books from the store to Parquet files with a manifest. An hour is dropped only if the files
// were read back and match, and the store still holds exactly what was written. After an interruption the same
// command continues with the files that are there.

import { createHash, type Hash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from 'hyparquet';
import type { Account } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { DAY_MS, plural } from '../../domain/units.ts';
import { StartError, UsageError } from '../../runtime/errors.ts';
import type { Store } from '../../store/ports.ts';
import { digestHour } from '../../store/queries/packed-books.ts';
import { syncFile } from '../../store/transfer/transfer.ts';
import { BOOK_TABLE, rowsOfHour, SLOT_TABLE, slotRowsOf } from './books.ts';
import type { Cell, ColumnType, Row } from './dataset.ts';
import { type Columns, openParquetFile, type Sink } from './sink.ts';

export interface ArchiveScope {
  store: Store;
  accounts: readonly Account[];
  month: Month;
  folder: string;
  nowTs: number;
}

export interface Month {
  name: string;
  fromTs: number;
  /** Exclusive. */
  untilTs: number;
}

interface ArchivedFile {
  file: string;
  columns: Columns;
  rows: number;
  bytes: number;
  sha256: string;
  /** Of the rows as JSON, one per line. */
  rowsSha256: string;
}

type ArchivedHour = [eventId: number, hourTs: number, digest: string];

interface Manifest {
  dataset: 'books';
  month: string;
  writtenAt: string;
  files: ArchivedFile[];
  hours: ArchivedHour[];
}

export interface ArchiveResult {
  folder: string;
  rows: number;
  bytes: number;
  droppedHours: number;
}

const MANIFEST = 'manifest.json';
/** Contracts may trade on for hours after the counted window. */
const TRADED_AFTER_MS = 7 * DAY_MS;
/** Late pieces of the last hour are written and merged by then. */
const SETTLED_MS = DAY_MS;

/** "2026-08", in UTC; must be over. */
export function readMonth(text: string, nowTs: number): Month {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined) throw new UsageError(`--and-drop: "${text}" is not a month such as 2026-08`);
  const fromTs = Date.UTC(Number(year), Number(month) - 1);
  const untilTs = Date.UTC(Number(year), Number(month));
  if (untilTs + SETTLED_MS > nowTs)
    throw new UsageError(`--and-drop: ${text} can be dropped from ${toDay(untilTs + SETTLED_MS)} on`);
  return { name: text, fromTs, untilTs };
}

export async function archiveMonth(scope: ArchiveScope): Promise<ArchiveResult> {
  const folder = join(scope.folder, `books-${scope.month.name}`);
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) await writeMonth(scope, folder);
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  for (const file of manifest.files) await verifyFile(folder, file);
  const droppedHours = await dropHours(scope, manifest.hours);
  const sum = (pick: (file: ArchivedFile) => number) =>
    manifest.files.reduce((all, file) => all + pick(file), 0);
  return { folder, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes), droppedHours };
}

/** The folder appears only once it is complete. */
async function writeMonth(scope: ArchiveScope, folder: string): Promise<void> {
  if (existsSync(folder))
    throw new UsageError(`${folder} exists but has no ${MANIFEST}; choose another folder`);
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true, mode: 0o700 });
  const manifest: Manifest = {
    dataset: 'books',
    month: scope.month.name,
    writtenAt: new Date(scope.nowTs).toISOString(),
    files: [],
    hours: [],
  };
  for (const account of scope.accounts) await writeAccount(scope, account, part, manifest);
  if (manifest.hours.length === 0) {
    rmSync(part, { recursive: true });
    throw new UsageError(`--and-drop: the store has no books of ${scope.month.name}`);
  }
  writeFileSync(join(part, MANIFEST), `${JSON.stringify(manifest)}\n`, { mode: 0o600 });
  for (const name of [...manifest.files.map(({ file }) => file), MANIFEST, '.']) syncFile(join(part, name));
  renameSync(part, folder);
}

async function writeAccount(
  scope: ArchiveScope,
  account: Account,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  const { store, month } = scope;
  const hours = await listHours(scope, account);
  if (hours.length === 0) return;
  const books = openFile(folder, `books-${account.accountId}.parquet`, BOOK_TABLE.columns);
  const slots = openFile(folder, `slots-${account.accountId}.parquet`, SLOT_TABLE.columns);
  for (const [event, hourTs] of hours) {
    const hour = await store.books.readHour(event.eventId, hourTs);
    await books.write(rowsOfHour(event, hour, month));
    await slots.write(slotRowsOf(event, hour));
    manifest.hours.push([event.eventId, hourTs, digestHour(hour)]);
  }
  manifest.files.push(await books.close(), await slots.close());
}

async function listHours(
  { store, month }: ArchiveScope,
  { accountId }: Account,
): Promise<[MarketEvent, number][]> {
  const found: [MarketEvent, number][] = [];
  const { fromTs, untilTs } = month;
  const events = await store.events.list(accountId, fromTs - TRADED_AFTER_MS);
  for (const event of events.filter(({ window }) => window.startTs - TRADED_AFTER_MS < untilTs))
    for (const hourTs of await store.books.listHours(event.eventId, fromTs, untilTs))
      if (hourTs >= fromTs) found.push([event, hourTs]);
  return found;
}

function openFile(folder: string, file: string, columns: Columns) {
  const path = join(folder, file);
  const sink: Sink = openParquetFile(path, columns);
  const hash = createHash('sha256');
  let count = 0;
  return {
    async write(rows: readonly Row[]): Promise<void> {
      for (const row of rows) hashRow(hash, row);
      count += rows.length;
      await sink.write(rows);
    },
    async close(): Promise<ArchivedFile> {
      await sink.finish();
      const { sha256, bytes } = await digestFile(path);
      return { file, columns, rows: count, bytes, sha256, rowsSha256: hash.digest('hex') };
    },
  };
}

/** Reads the file back as any other program would. */
async function verifyFile(folder: string, expected: ArchivedFile): Promise<void> {
  const path = join(folder, expected.file);
  const { sha256 } = await digestFile(path);
  const { rows, rowsSha256 } = await readRows(path, expected.columns);
  if (sha256 === expected.sha256 && rows === expected.rows && rowsSha256 === expected.rowsSha256) return;
  throw new StartError(`${path} does not contain what was written to it; nothing was dropped`);
}

async function readRows(path: string, columns: Columns): Promise<Pick<ArchivedFile, 'rows' | 'rowsSha256'>> {
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const types = Object.values(columns);
    const hash = createHash('sha256');
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const onComplete = (rows: unknown[][]) => {
        for (const row of rows)
          hashRow(
            hash,
            row.map((value, i) => toCell(types[i]!, value)),
          );
      };
      const read = { file, metadata, rowStart, rowEnd, columns: Object.keys(columns), onComplete };
      await parquetRead({ ...read, rowFormat: 'array' });
      rowStart = rowEnd;
    }
    return { rows: rowStart, rowsSha256: hash.digest('hex') };
  } catch (error) {
    throw new StartError(`${path} cannot be read back; nothing was dropped`, error);
  }
}

function toCell(type: ColumnType, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  return type === 'integer' || type === 'time' ? Number(value) : (value as Cell);
}

function hashRow(hash: Hash, row: Row): void {
  hash.update(`${JSON.stringify(row)}\n`);
}

async function digestFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Hour by hour, so that the service waits for at most one hour's blocks. */
async function dropHours(scope: ArchiveScope, hours: readonly ArchivedHour[]): Promise<number> {
  const digests = new Map(hours.map(([eventId, hourTs, digest]) => [`${eventId} ${hourTs}`, digest]));
  let dropped = 0;
  let changed = 0;
  for (const account of scope.accounts)
    for (const [{ eventId }, hourTs] of await listHours(scope, account)) {
      const digest = digests.get(`${eventId} ${hourTs}`);
      const isDropped = digest !== undefined && (await scope.store.books.dropHour(eventId, hourTs, digest));
      if (isDropped) dropped += 1;
      else changed += 1;
    }
  if (changed > 0)
    throw new StartError(
      `kept ${plural(changed, 'hour')} of ${scope.month.name} that the archive lacks or has in another version; ` +
        `${dropped} dropped. Archive the rest to another folder`,
    );
  return dropped;
}

function toDay(ts: number): string {
  return new Date(ts).toISOString().slice(0, 10);
}
