// The forecast log on both engines: entries are appended and sealed hourly, and any tampering is detected.

import assert from 'node:assert/strict';
import { deflateSync, inflateSync } from 'node:zlib';
import { verifyStore } from '../../src/cli/verify-store.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { scoreEvent } from '../../src/jobs/scoring/score-forecast.ts';
import { draftForecast, draftSignal } from '../../src/jobs/sealing/log-drafts.ts';
import { settleSignals } from '../../src/jobs/settling/signal-record.ts';
import { createRandom, type Random } from '../../src/runtime/random.ts';
import type { LogEntry } from '../../src/sealing/entry.ts';
import type { Store } from '../../src/store/ports.ts';
import type { Cell, TableName } from '../../src/store/table-copy.ts';
import { openReader, openWriter, toPlace } from '../../src/store/transfer/place.ts';
import { describeStore, type StorePlace } from './engines.ts';
import { HOUR_MS, START_TS, sampleDraft, sampleEvent, sampleForecast, sampleSignal } from './samples.ts';

const END_TS = START_TS + 168 * HOUR_MS;
const EDITS = { sqlite: 300, postgres: 10 };

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
    assert.deepEqual((await verifyStore(store, END_TS)).problems, []);
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
    assert.deepEqual((await verifyStore(store, END_TS)).problems, []);
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
    const nowTs = END_TS + DAY_MS;
    assert.deepEqual((await verifyStore(store, nowTs)).problems, []);
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
      const { problems } = await verifyStore(store, nowTs);
      assert.ok(problems.length > 0, `change ${i} was not detected: ${what}`);
    }
    await writeTables(place, originals);
    assert.deepEqual((await verifyStore(store, nowTs)).problems, []);
  });
});

/** Six sealed hours and an open one, for one settled event with forecasts, signals and scores. */
async function fillLog(store: Store): Promise<void> {
  const event = sampleEvent();
  await store.events.upsert([event]);
  const firstTs = END_TS - 26 * HOUR_MS;
  for (let i = 0; i < 14; i++) {
    const asofTs = firstTs + i * (HOUR_MS / 2);
    // The one that is scored is certain of the winner.
    const certain = i === 4 ? { bucketProbabilities: [1, 0] } : {};
    const forecast = sampleForecast({ asofTs, p50: 30 + i, ...certain });
    await store.forecasts.record(
      [forecast],
      [draftForecast(forecast, { recordedTs: asofTs, isRecomputed: i === 3 })],
    );
    await store.seals.append([sampleDraft({ recordedTs: asofTs, content: { bucket: '<40', i } })]);
  }
  const signal = sampleSignal({ asofTs: END_TS - 24 * HOUR_MS });
  const signals = [signal, { ...signal, bucketLabel: '40+', modelProbability: 0.3 }];
  await store.signals.record(
    signals,
    signals.map((each) => draftSignal(each, firstTs + 6.5 * HOUR_MS)),
  );
  while (await store.seals.sealNext(firstTs + 6 * HOUR_MS));
  const outcome = { finalCount: 36, winningLabel: '<40' };
  await scoreEvent(store, event, outcome, END_TS);
  await settleSignals(store, event, outcome, END_TS);
  await store.settlements.record({
    ...outcome,
    eventId: 101,
    accountId: 'a',
    source: 'oracle',
    settledTs: END_TS,
  });
}

/** The verified columns of each table; others, such as the time of scoring, are not part of the record. */
const GUARDED: Record<string, string[]> = {
  seals: ['hour_ts', 'first_seq', 'size', 'root', 'previous', 'chain', 'entries'],
  log_entries: ['seq', 'hour_ts', 'entry'],
  log_head: ['id', 'next_seq', 'open_hour_ts', 'chain', 'running'],
  forecasts: ['asof_ts', 'account_id', 'count_so_far', 'p5', 'p50', 'p95', 'law_from', 'law'].concat([
    ...[
      'bucket_probabilities',
      'market_prices',
      'baselines',
      'baseline_laws',
      'model_version',
      'build_commit',
    ],
  ]),
  signals: ['horizon_h', 'bucket_label', 'strategy', 'account_id', 'token_id', 'confidence'].concat([
    ...[
      'model_probability',
      'edge_kind',
      'win_probability',
      'market_price',
      'cost_per_share',
      'fee_per_share',
    ],
    ...['shares', 'stake_usd', 'asof_ts', 'won', 'pnl_usd', 'settled_ts'],
  ]),
  scores: ['horizon_h', 'end_ts', 'final_count', 'p50', 'error_percent', 'crps', 'log_score'].concat([
    ...['bucket_log_score', 'pit_low', 'pit_high', 'is_inside_50', 'is_inside_90', 'model_version'],
  ]),
  settlements: ['final_count', 'winning_label', 'settled_ts'],
};

const OTHER_COLUMNS: Record<string, string[]> = {
  seals: [],
  log_entries: [],
  log_head: [],
  forecasts: ['event_id'],
  signals: ['event_id', 'closing_line_value'],
  scores: ['event_id', 'account_id', 'buckets', 'baselines', 'scored_ts'],
  settlements: ['event_id', 'revision', 'account_id', 'source'],
};
/** Changing one of these turns a row into another row. */
const KEYS = ['seq', 'hour_ts', 'bucket_label', 'asof_ts', 'horizon_h'];

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
  if (column === 'bucket_probabilities') return '[0.71,0.29]';
  if (column === 'market_prices') return '[0.66,null]';
  if (column === 'baselines') return String(cell).replace('"p50":30', '"p50":31');
  if (column === 'won' || column.startsWith('is_inside')) return cell === 1 ? 0 : 1;
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

function columnsOf(table: TableName): string[] {
  return [...GUARDED[table]!, ...OTHER_COLUMNS[table]!];
}

async function readTables(place: StorePlace): Promise<Tables> {
  const reader = await openReader(toPlace(place.options.databaseUrl, place.options.dataDir));
  const tables = new Map<TableName, Cell[][]>();
  for (const table of Object.keys(GUARDED) as TableName[]) {
    const rows: Cell[][] = [];
    for await (const batch of reader.read(table, columnsOf(table)))
      rows.push(...batch.map((row) => [...row]));
    tables.set(table, rows);
  }
  await reader.close();
  return tables;
}

/** Runs in one transaction; each change is undone before the next. */
async function writeTables(place: StorePlace, tables: Tables): Promise<void> {
  const writer = await openWriter(toPlace(place.options.databaseUrl, place.options.dataDir));
  try {
    for (const [table, rows] of tables) {
      await writer.clear(table);
      await writer.insert(table, columnsOf(table), rows);
    }
    await writer.commit();
  } finally {
    await writer.close();
  }
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random.uniform() * values.length)]!;
}
