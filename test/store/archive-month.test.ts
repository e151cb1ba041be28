// Moves a month of books to Parquet on both engines, reads it with DuckDB, and interrupts and damages it on the way.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { type ArchiveScope, archiveMonth, readMonth } from '../../src/cli/export/archive-month.ts';
import { BOOK_TABLE, booksDataset } from '../../src/cli/export/books.ts';
import { openParquetFile } from '../../src/cli/export/sink.ts';
import type { Account } from '../../src/domain/account.ts';
import { type BookPiece, slotOf } from '../../src/domain/book.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { createRandom } from '../../src/runtime/random.ts';
import type { Store } from '../../src/store/ports.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { describeStore } from './engines.ts';
import { HOUR_MS, sampleBooks, sampleEvent } from './samples.ts';

const FROM_TS = Date.UTC(2026, 7, 1);
const UNTIL_TS = Date.UTC(2026, 8, 1);
const NOW_TS = UNTIL_TS + 40 * DAY_MS;
const MONTH = readMonth('2026-08', NOW_TS);
const ACCOUNTS = [{ accountId: 'a' }, { accountId: 'b' }] as Account[];
/** The hours before and after the month, and every fifth hour in it. */
const HOURS = [
  FROM_TS - HOUR_MS,
  ...Array.from({ length: 149 }, (_, i) => FROM_TS + i * 5 * HOUR_MS),
  UNTIL_TS,
];

function drawHour(eventId: number, hourTs: number): BookPiece {
  const random = createRandom(eventId + hourTs / HOUR_MS);
  const [{ ...book }] = sampleBooks().changes as [BookPiece['changes'][number]];
  const changes = Array.from({ length: 5 }, (_, i) => ({
    ...book,
    observedTs: hourTs + i * 60_000,
    bid: random.uniform() < 0.2 ? null : random.uniform(),
    bidShares: Math.round(random.uniform() * 1e6) / 100,
  }));
  const slots = Array.from({ length: 300 }, (_, i) => slotOf(hourTs) + i).filter(
    () => random.uniform() < 0.9,
  );
  return { eventId, hourTs, changes, slots };
}

async function fill(store: Store): Promise<void> {
  const window = { startTs: FROM_TS - 2 * DAY_MS, endTs: UNTIL_TS + DAY_MS };
  await store.events.upsert([
    sampleEvent({ window }),
    sampleEvent({ eventId: 102, accountId: 'b', slug: 'b', window }),
  ]);
  for (const hourTs of HOURS)
    await store.books.record([drawHour(101, hourTs), drawHour(102, hourTs)], hourTs);
}

const scopeOf = (store: Store): ArchiveScope => ({
  ...{ store, accounts: ACCOUNTS, month: MONTH, nowTs: NOW_TS },
  folder: makeTempFolder('archive'),
});

async function countHours(store: Store): Promise<number> {
  const all = await Promise.all([101, 102].map((id) => store.books.listHours(id, 0, NOW_TS)));
  return all.flat().length;
}

/** What the store still has, as `export books rest.parquet` writes it. */
async function exportRest(scope: ArchiveScope): Promise<string> {
  const path = join(scope.folder, 'rest.parquet');
  const sink = openParquetFile(path, BOOK_TABLE.columns);
  const range = { fromTs: 0, untilTs: NOW_TS, event: null };
  for await (const rows of booksDataset.listRows({ ...scope, ...range })) await sink.write(rows);
  await sink.finish();
  return path;
}

async function query(sql: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create()).connect();
  const rows = (await connection.runAndReadAll(sql)).getRowsJS();
  connection.closeSync();
  const toPlain = (value: unknown) => (value instanceof Date ? value.getTime() : value);
  return rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : toPlain(value))));
}

/** Stops after some hours, as a killed process does. */
function breakAfter(store: Store, hours: number): Store {
  let left = hours;
  const dropHour: Store['books']['dropHour'] = async (...args) => {
    if (left-- <= 0) throw new Error('killed');
    return store.books.dropHour(...args);
  };
  return { ...store, books: { ...store.books, dropHour } };
}

describeStore('a month of order books', (test) => {
  test('moves to Parquet files with the same rows, and only that month is dropped', async (store) => {
    await fill(store);
    const scope = scopeOf(store);
    const expected: unknown[] = [];
    const range = { fromTs: FROM_TS, untilTs: UNTIL_TS, event: null };
    for await (const rows of booksDataset.listRows({ ...scope, ...range })) expected.push(...rows);
    const done = await archiveMonth(scope);
    assert.deepEqual([done.droppedHours, await countHours(store)], [298, 4]);
    assert.deepEqual(readdirSync(done.folder).sort(), [
      ...['books-a.parquet', 'books-b.parquet', 'manifest.json', 'slots-a.parquet', 'slots-b.parquet'],
    ]);
    const names = Object.keys(BOOK_TABLE.columns).join();
    const rows = await query(
      `select ${names} from '${done.folder}/books-*.parquet' order by event_id, observed_ts`,
    );
    assert.equal(rows.length, 298 * 5);
    assert.deepEqual(rows, expected);
    const [[seconds]] = (await query(
      `select sum(date_diff('second', from_ts, until_ts)) from '${done.folder}/slots-a.parquet'`,
    )) as [[number]];
    const both = await query(
      `select event_id, count(*), max_by(bid_shares, observed_ts)
       from read_parquet(['${scope.folder}/*/books-*.parquet', '${await exportRest(scope)}'])
       group by all order by event_id`,
    );
    const lastOf = (eventId: number) => drawHour(eventId, UNTIL_TS).changes.at(-1)!.bidShares;
    assert.deepEqual(
      both,
      [101, 102].map((id) => [id, HOURS.length * 5, lastOf(id)]),
    );
    const slots = HOURS.slice(1, -1).map((hourTs) => drawHour(101, hourTs).slots.length);
    assert.equal(Number(seconds), 10 * slots.reduce((sum, length) => sum + length, 0));
  });

  test('continues after an interruption, but not with a damaged file', async (store) => {
    await fill(store);
    const scope = scopeOf(store);
    await assert.rejects(archiveMonth({ ...scope, store: breakAfter(store, 7) }), /killed/);
    assert.equal(await countHours(store), 302 - 7);
    const file = join(scope.folder, 'books-2026-08', 'slots-b.parquet');
    const whole = readFileSync(file);
    const damaged = Buffer.from(whole);
    damaged[200]! ^= 1;
    for (const content of [damaged, whole.subarray(0, -9)]) {
      writeFileSync(file, content);
      await assert.rejects(archiveMonth(scope), /slots-b.parquet .*nothing was dropped/);
    }
    assert.equal(await countHours(store), 302 - 7);
    writeFileSync(file, whole);
    assert.equal((await archiveMonth(scope)).droppedHours, 298 - 7);
  });

  test('keeps an hour that has changed since it was written', async (store) => {
    await fill(store);
    const scope = scopeOf(store);
    await assert.rejects(archiveMonth({ ...scope, store: breakAfter(store, 0) }), /killed/);
    await store.books.record([{ ...drawHour(102, HOURS[9]!), slots: [] }], NOW_TS);
    await assert.rejects(archiveMonth(scope), /kept 1 hour of 2026-08 .*; 297 dropped/);
    assert.equal(await countHours(store), 5);
  });
});

it('a month can be dropped from a day after its end', () => {
  assert.throws(() => readMonth('2026-08', UNTIL_TS), /can be dropped from 2026-09-02 on/);
  assert.throws(() => readMonth('2026-13', NOW_TS), /"2026-13" is not a month such as 2026-08/);
});
