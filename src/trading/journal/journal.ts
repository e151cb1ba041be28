// The executor's durable journal in its own file: intents (recorded before sending), fills, settlements,
// halts. Every write is on disk before the call returns.

import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { UsageError } from '../../runtime/errors.ts';
import { makePrivateFile } from '../../runtime/private-files.ts';
import type { BookEntry, BookedFill, Marks } from '../books/books.ts';
import type { Action } from '../types.ts';

/**
 * planned: recorded, may have been sent. unknown: sent, no response. open: seen on the exchange. cancelled: its
 * cancellation was acknowledged. closed: it was open and has ended. void: it never reached the exchange.
 */
export type IntentState = 'planned' | 'unknown' | 'open' | 'cancelled' | 'closed' | 'refused' | 'void';

export interface Intent {
  orderId: string;
  createdTs: number;
  tokenId: string;
  action: Action;
  pricePips: number;
  sizeMicro: number;
  state: IntentState;
  reason: string;
  updatedTs: number;
  account: string;
  eventId: number;
  bucket: string;
  outcome: string;
  edgeKind: string;
  advisedPips: number;
  probability: number;
  gainPerUsd: number;
  /** The market as the exchange names it. */
  conditionId: string;
  expiresTs: number;
  /** Whether the order no longer counts against the caps. */
  isReleased: boolean;
  /** The highest fee on top of the price of a purchase; null if it spends its dollars instead. */
  maxFeeMicro: number | null;
  /** The most that the exchange ever reported as filled. */
  matchedMicro: number;
}

export interface HaltRecord {
  kind: string;
  reason: string;
  sinceTs: number;
}

export interface EquityPoint {
  ts: number;
  equityMicro: number;
  cashMicro: number;
}

/** The best bids at some time. */
export interface PricedAt {
  ts: number;
  marks: Marks;
}

export interface Journal {
  addIntent(intent: Intent): void;
  setIntent(orderId: string, state: IntentState, reason: string, nowTs: number): void;
  /** Keeps what the exchange reports as filled; a lower report changes nothing. */
  raiseMatched(orderId: string, matchedMicro: number): void;
  /** Ends the order's claim on the caps. */
  release(orderId: string, state: IntentState, reason: string, nowTs: number): void;
  findIntent(orderId: string): Intent | null;
  /** Ordered from oldest to newest. */
  intents(): Intent[];
  /** Orders that count against the caps. */
  unreleased(): Intent[];
  /** True if the fill is new or its status changed. */
  saveFill(fill: BookedFill): boolean;
  findFill(fillId: string): BookedFill | null;
  /** Books a fill's fees differently. */
  setFees(fill: BookedFill): void;
  /** Ordered by when they were first seen. */
  fills(): readonly BookedFill[];
  addEntry(entry: BookEntry): void;
  entries(): readonly BookEntry[];
  /** Adds a halt that only an operator can lift. */
  addHalt(halt: HaltRecord): void;
  halts(): HaltRecord[];
  /** Also lets refused orders be counted from now on. */
  liftHalts(nowTs: number): number;
  addEquity(point: EquityPoint): void;
  equity(): EquityPoint[];
  note(key: string): string | null;
  setNote(key: string, value: string): void;
  close(): void;
}

const SCHEMA = `
create table if not exists intents (
  order_id text primary key, created_ts integer not null, token_id text not null, action text not null,
  price_pips integer not null, size_micro integer not null, state text not null, reason text not null,
  updated_ts integer not null, account text not null, event_id integer not null, bucket text not null,
  outcome text not null, edge_kind text not null, advised_pips integer not null, probability real not null,
  gain_per_usd real not null, condition_id text not null, expires_ts integer not null,
  is_released integer not null, max_fee_micro integer, matched_micro integer not null) strict;
create table if not exists fills (
  fill_id text primary key, order_id text not null, token_id text not null, action text not null,
  price_pips integer not null, size_micro integer not null, is_taker integer not null, status text not null,
  ts integer not null, fee_usd_micro integer not null, fee_shares_micro integer not null,
  is_phantom integer) strict;
create table if not exists entries (id integer primary key, ts integer not null, entry text not null) strict;
create table if not exists halts (
  id integer primary key, kind text not null, reason text not null, since_ts integer not null,
  lifted_ts integer) strict;
create table if not exists equity (ts integer primary key, equity_micro integer not null, cash_micro integer not null) strict;
create table if not exists notes (key text primary key, value text not null) strict;
`;

export function openJournal(path: string): Journal {
  if (path !== ':memory:') makePrivateFile(path);
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000');
  database.exec(SCHEMA);
  const statements = prepare(database);
  // Only one process writes orders, fills and entries, so data read every cycle is cached in memory.
  const intents = new Map(
    statements.intents
      .all()
      .map(fromRow<Intent>)
      .map((one) => [one.orderId, one]),
  );
  const fills = new Map(
    statements.fills
      .all()
      .map(readFill)
      .map((one) => [one.fillId, one]),
  );
  const entries = statements.entries.all().map(({ entry }) => JSON.parse(String(entry)) as BookEntry);

  function update(orderId: string, state: IntentState, reason: string, nowTs: number, isReleased: boolean) {
    statements.setIntent.run(state, reason, nowTs, Number(isReleased), orderId);
    const known = intents.get(orderId);
    if (known) intents.set(orderId, { ...known, state, reason, updatedTs: nowTs, isReleased });
  }

  return {
    addIntent(intent) {
      statements.addIntent(intent);
      intents.set(intent.orderId, { ...intent });
    },
    setIntent: (orderId, state, reason, nowTs) => update(orderId, state, reason, nowTs, false),
    raiseMatched(orderId, matchedMicro) {
      const known = intents.get(orderId);
      if (!known || matchedMicro <= known.matchedMicro) return;
      statements.setMatched.run(matchedMicro, orderId);
      intents.set(orderId, { ...known, matchedMicro });
    },
    release: (orderId, state, reason, nowTs) => update(orderId, state, reason, nowTs, true),
    findIntent: (orderId) => intents.get(orderId) ?? null,
    intents: () => [...intents.values()],
    unreleased: () => [...intents.values()].filter(({ isReleased }) => !isReleased),
    saveFill(fill) {
      const known = fills.get(fill.fillId);
      if (known && known.status === fill.status && known.isPhantom === fill.isPhantom) return false;
      statements.saveFill(fill);
      fills.set(fill.fillId, known ? { ...known, ...pickStatus(fill) } : { ...fill });
      return true;
    },
    findFill: (fillId) => fills.get(fillId) ?? null,
    setFees({ fillId, feeUsdMicro, feeSharesMicro }) {
      statements.setFees.run(feeUsdMicro, feeSharesMicro, fillId);
      fills.set(fillId, { ...fills.get(fillId)!, feeUsdMicro, feeSharesMicro });
    },
    fills: () => [...fills.values()],
    addEntry(entry) {
      statements.addEntry.run(entry.ts, JSON.stringify(entry));
      entries.push(entry);
    },
    entries: () => entries,
    addHalt: ({ kind, reason, sinceTs }) => void statements.addHalt.run(kind, reason, sinceTs),
    halts: () => statements.halts.all().map(fromRow<HaltRecord>),
    liftHalts(nowTs) {
      statements.setNote.run(LIFTED_NOTE, String(nowTs));
      return Number(statements.liftHalts.run(nowTs).changes);
    },
    addEquity: ({ ts, equityMicro, cashMicro }) => void statements.addEquity.run(ts, equityMicro, cashMicro),
    equity: () => statements.equity.all().map(fromRow<EquityPoint>),
    note: (key) => (statements.note.get(key)?.value as string | undefined) ?? null,
    setNote: (key, value) => void statements.setNote.run(key, value),
    close: () => database.close(),
  };
}

/** When the operator last lifted the halts. */
export const LIFTED_NOTE = 'lifted';

const MARKS = 'marks';
const MARKS_EVERY_MS = 60_000;

/** Prices for the report, which is made by another process; written when they change or are a minute old. */
export function keepMarks(journal: Journal, { ts, marks }: PricedAt): void {
  const known = readMarks(journal);
  const text = JSON.stringify([...marks]);
  if (known && ts - known.ts < MARKS_EVERY_MS && JSON.stringify([...known.marks]) === text) return;
  journal.setNote(MARKS, JSON.stringify({ ts, marks: [...marks] }));
}

/** null if no prices were read yet. */
export function readMarks(journal: Journal): PricedAt | null {
  const text = journal.note(MARKS);
  if (text === null) return null;
  const { ts, marks } = JSON.parse(text) as { ts: number; marks: [string, number][] };
  return { ts, marks: new Map(marks) };
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    addIntent: prepareInsert<Intent>(database, 'intents'),
    setIntent: sql(
      'update intents set state = ?, reason = ?, updated_ts = ?, is_released = ? where order_id = ?',
    ),
    setMatched: sql('update intents set matched_micro = ? where order_id = ?'),
    intents: sql('select * from intents order by created_ts, order_id'),
    saveFill: prepareInsert<BookedFill>(
      database,
      'fills',
      'on conflict (fill_id) do update set status = excluded.status, is_phantom = excluded.is_phantom',
    ),
    setFees: sql('update fills set fee_usd_micro = ?, fee_shares_micro = ? where fill_id = ?'),
    fills: sql('select * from fills order by ts, fill_id'),
    addEntry: sql('insert into entries (ts, entry) values (?, ?)'),
    entries: sql('select entry from entries order by id'),
    addHalt: sql('insert into halts (kind, reason, since_ts) values (?, ?, ?)'),
    halts: sql('select kind, reason, since_ts from halts where lifted_ts is null order by id'),
    liftHalts: sql('update halts set lifted_ts = ? where lifted_ts is null'),
    addEquity: sql('insert or replace into equity values (?, ?, ?)'),
    equity: sql('select * from equity order by ts'),
    note: sql('select value from notes where key = ?'),
    setNote: sql('insert or replace into notes values (?, ?)'),
  };
}

type Row = Record<string, SQLOutputValue>;

/** Fields of a known fill that may change. */
function pickStatus({ status, isPhantom }: BookedFill): Pick<BookedFill, 'status' | 'isPhantom'> {
  return { status, ...(isPhantom === undefined ? {} : { isPhantom }) };
}

function readFill(row: Row): BookedFill {
  const { isPhantom, ...fill } = fromRow<Omit<BookedFill, 'isPhantom'> & { isPhantom: boolean | null }>(row);
  return { ...fill, ...(isPhantom === null ? {} : { isPhantom }) };
}

/** A row as the object that it was written from; `is_…` is 0 or 1. */
function fromRow<T>(row: Row): T {
  const fields = Object.entries(row).map(([column, value]) => [
    toField(column),
    column.startsWith('is_') && value !== null ? value === 1 : value,
  ]);
  return Object.fromEntries(fields) as T;
}

/** Returns a function that inserts an object's fields, each into the column of its name. */
function prepareInsert<T extends object>(database: DatabaseSync, table: string, onConflict = '') {
  const columns = database.prepare('select name from pragma_table_info(?)').all(table);
  const names = columns.map(({ name }) => String(name));
  const places = names.map(() => '?').join(', ');
  const insert = database.prepare(
    `insert into ${table} (${names.join(', ')}) values (${places}) ${onConflict}`,
  );
  return (given: T) => {
    const fields = given as Record<string, SQLInputValue | boolean | undefined>;
    const values = names.map((name) => fields[toField(name)] ?? null);
    insert.run(...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)));
  };
}

/** The field of the column `order_id` is `orderId`. */
function toField(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

// One trader per folder: two would place every order twice and corrupt each other's journal. SQLite holds the
// lock on a separate file and releases it when the process ends, even after a crash.

/** Returns a function that releases the lock. */
export function lockTrader(folder: string): () => void {
  const path = join(folder, 'trader.lock');
  makePrivateFile(path);
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma busy_timeout = 0; begin exclusive');
  } catch {
    database.close();
    throw new UsageError(`a trader is already running on ${folder}. Stop it, or pass another --data.`);
  }
  return () => database.close();
}
