// The forecast log on both engines: entries are appended and sealed hourly, and any tampering is detected.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { deflateSync, inflateSync } from 'node:zlib';
import { verifyStore } from '../../src/cli/verify-store.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { draftSignal } from '../../src/jobs/sealing/log-drafts.ts';
import { createRandom, type Random } from '../../src/runtime/random.ts';
import type { LogEntry } from '../../src/sealing/entry.ts';
import { SQLITE_FILE_NAME } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';
import { createPgClient } from '../../src/store/postgres/pg-pool.ts';
import type { Database } from '../../src/store/schema.ts';
import { openWritable } from '../../src/store/sqlite/connection.ts';
import { describeStore, type StorePlace } from './engines.ts';
import { HOUR_MS, START_TS, sampleDraft, sampleSignal } from './samples.ts';

type TableName = keyof Database;
type Cell = string | number | Uint8Array | null;

const EDITS = { sqlite: 60, postgres: 6 };

describeStore('the forecast log', (test, engine) => {
  test('seals finished hours, oldest first, each chained to the previous one', async (store) => {
    await store.seals.append([
      sampleDraft(),
      sampleDraft(),
      sampleDraft({ recordedTs: START_TS + 2 * HOUR_MS }),
    ]);
    assert.equal(await store.seals.sealNext(START_TS), null, 'the hour is not over');
    const first = await store.seals.sealNext(START_TS + HOUR_MS);
    assert.equal(await store.seals.sealNext(START_TS + HOUR_MS), null);
    const second = await store.seals.sealNext(START_TS + 3 * HOUR_MS);
    assert.deepEqual([first!.hourTs, first!.firstSeq, first!.size], [START_TS, 1, 2]);
    assert.deepEqual([second!.hourTs, second!.firstSeq, second!.size], [START_TS + 2 * HOUR_MS, 3, 1]);
    assert.equal(second!.previous, first!.chain);
    assert.deepEqual(await store.seals.list(-1, 10), [first, second]);
    assert.deepEqual(await store.seals.list(first!.hourTs, 10), [second]);
    assert.deepEqual(await store.seals.findNewest(), second);
    assert.deepEqual((await verifyStore(store)).problems, []);
  });

  test('adds nothing to a sealed hour, and marks only entries about the current hour as forward', async (store) => {
    await store.seals.append([sampleDraft()]);
    await store.seals.sealNext(START_TS + HOUR_MS);
    await store.seals.append([
      sampleDraft({ recordedTs: START_TS + HOUR_MS - 1 }),
      sampleDraft({ recordedTs: START_TS + 1 }),
      sampleDraft({ recordedTs: START_TS + HOUR_MS, asofTs: START_TS - DAY_MS }),
      sampleDraft({ recordedTs: START_TS + HOUR_MS, isRecomputed: true }),
    ]);
    const { entries } = await store.seals.readOpen();
    assert.deepEqual(new Set(entries.map(({ hourTs }) => hourTs)), new Set([START_TS + HOUR_MS]));
    assert.deepEqual(
      entries.map(({ entry }) => (JSON.parse(entry) as LogEntry).made),
      ['forward', 'recomputed', 'recomputed', 'recomputed'],
    );
  });

  test('numbers entries without a gap when several are appended at once', async (store) => {
    await Promise.all(Array.from({ length: 20 }, () => store.seals.append([sampleDraft(), sampleDraft()])));
    const { entries, nextSeq } = await store.seals.readOpen();
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    assert.equal(nextSeq, 41);
    assert.deepEqual((await verifyStore(store)).problems, []);
  });

  test('logs a signal once, even if it is recorded repeatedly', async (store) => {
    const signals = [sampleSignal(), sampleSignal({ bucketLabel: '40+' })];
    const drafts = signals.map((signal) => draftSignal(signal, START_TS));
    await store.signals.record(signals.slice(0, 1), drafts.slice(0, 1));
    await store.signals.record(signals, drafts);
    assert.equal((await store.seals.readOpen()).entries.length, 2);
  });

  test(`detects each of ${EDITS[engine]} manual changes to its rows`, async (store, place) => {
    await fillLog(store);
    assert.deepEqual((await verifyStore(store)).problems, []);
    const random = createRandom(20261116);
    const originals = await readTables(place);
    let changed: TableName[] = [];
    for (let i = 0; i < EDITS[engine]; i++) {
      const table = pick(Object.keys(GUARDED), random) as TableName;
      const rows = originals.get(table)!.map((row) => [...row]);
      const what = `${table}: ${changeRows(rows, GUARDED[table]!, random)}`;
      await writeTables(
        place,
        new Map([...changed.map((name) => [name, originals.get(name)!] as const), [table, rows]]),
      );
      changed = [table];
      const { problems } = await verifyStore(store);
      assert.ok(problems.length > 0, `change ${i} was not detected: ${what}`);
    }
    await writeTables(place, originals);
    assert.deepEqual((await verifyStore(store)).problems, []);
  });
});

/** Six sealed hours and an open one. */
async function fillLog(store: Store): Promise<void> {
  for (let i = 0; i < 14; i++) {
    const recordedTs = START_TS + i * (HOUR_MS / 2);
    const content = { bucket: '<40', i };
    await store.seals.append([
      sampleDraft({ recordedTs, asofTs: recordedTs, content }),
      sampleDraft({ recordedTs, isRecomputed: true, content }),
    ]);
  }
  while (await store.seals.sealNext(START_TS + 6 * HOUR_MS));
}

/** All of their columns are verified. */
const GUARDED: Record<string, string[]> = {
  seals: ['hour_ts', 'first_seq', 'size', 'root', 'previous', 'chain', 'entries'],
  log_entries: ['seq', 'hour_ts', 'entry'],
  log_head: ['id', 'next_seq', 'open_hour_ts', 'chain', 'running'],
};
/** Changing one of these turns a row into another row. */
const KEYS = ['seq', 'hour_ts'];

function changeRows(rows: Cell[][], guarded: string[], random: Random): string {
  const at = Math.floor(random.uniform() * rows.length);
  const kind = rows.length > 1 ? pick(['edit', 'edit', 'delete', 'insert', 'swap'], random) : 'edit';
  const column = Math.floor(random.uniform() * guarded.length);
  const key = guarded.indexOf(KEYS.find((name) => guarded.includes(name))!);
  const row = rows[at]!;
  const other = rows[(at + 1) % rows.length]!;
  if (kind === 'delete') rows.splice(at, 1);
  if (kind === 'edit') row[column] = changeCell(row[column]!, guarded[column]!, random);
  if (kind === 'insert') rows.push(row.with(key, changeCell(row[key]!, guarded[key]!, random)));
  // Swaps the keys of two rows.
  if (kind === 'swap') [row[key], other[key]] = [other[key]!, row[key]!];
  return `${kind} row ${at}, ${guarded[column]}`;
}

/** An offset that cannot collide with another row. */
const BEYOND_ALL = 1_000;

function changeCell(cell: Cell, column: string, random: Random): Cell {
  if (column === 'entries') return changePacked(cell as Uint8Array, random);
  if (cell === null) return 1;
  if (typeof cell === 'number') return cell + BEYOND_ALL;
  if (typeof cell === 'string') return changeText(cell, random);
  const bytes = Uint8Array.from(cell);
  bytes[Math.floor(random.uniform() * bytes.length)]! ^= 1;
  return bytes;
}

/** Half of the changes corrupt bytes; half are edits that still unpack. */
function changePacked(packed: Uint8Array, random: Random): Uint8Array {
  if (random.uniform() < 0.5) return packed.slice(0, -1 - Math.floor(random.uniform() * 5));
  return deflateSync(changeText(inflateSync(packed).toString(), random));
}

function changeText(text: string, random: Random): string {
  const at = Math.floor(random.uniform() * text.length);
  return `${text.slice(0, at)}${text[at] === '7' ? '3' : '7'}${text.slice(at + 1)}`;
}

type Tables = ReadonlyMap<TableName, Cell[][]>;

async function readTables(place: StorePlace): Promise<Tables> {
  const raw = await openRaw(place);
  const tables = new Map<TableName, Cell[][]>();
  for (const table of Object.keys(GUARDED) as TableName[])
    tables.set(table, await raw.query(`select ${GUARDED[table]!.join(', ')} from ${table}`, []));
  await raw.close();
  return tables;
}

/** Runs in one transaction; each change is undone before the next. */
async function writeTables(place: StorePlace, tables: Tables): Promise<void> {
  const raw = await openRaw(place);
  try {
    await raw.query('begin', []);
    for (const [table, rows] of tables) {
      await raw.query(`delete from ${table}`, []);
      const columns = GUARDED[table]!;
      const marks = columns.map((_, i) => `$${i + 1}`);
      for (const row of rows)
        await raw.query(`insert into ${table} (${columns.join(', ')}) values (${marks.join(', ')})`, row);
    }
    await raw.query('commit', []);
  } finally {
    await raw.close();
  }
}

interface Raw {
  query(text: string, values: readonly Cell[]): Promise<Cell[][]>;
  close(): Promise<void>;
}

async function openRaw({ options: { databaseUrl, dataDir } }: StorePlace): Promise<Raw> {
  if (!databaseUrl) {
    const database = openWritable(join(dataDir, SQLITE_FILE_NAME));
    return {
      async query(text, values) {
        const statement = database.prepare(text.replaceAll(/\$\d+/g, '?'));
        statement.setReturnArrays(true);
        return statement.all(...(values as SQLInputValue[])) as unknown as Cell[][];
      },
      close: async () => database.close(),
    };
  }
  const client = createPgClient(databaseUrl, 0);
  await client.connect();
  return {
    query: async (text, values) => (await client.query({ text, values: [...values], rowMode: 'array' })).rows,
    close: () => client.end(),
  };
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random.uniform() * values.length)]!;
}
