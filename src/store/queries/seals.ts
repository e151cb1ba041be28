// The forecast log: the open hour's entries as rows, each sealed hour packed into one row.

import type { Kysely } from 'kysely';
import { HOUR_MS, hourOf } from '../../domain/units.ts';
import { type EntryDraft, writeEntry } from '../../sealing/entry.ts';
import { addToRunning, NO_SEAL, type Seal, sealHour } from '../../sealing/seal.ts';
import type { Connection } from '../engine.ts';
import type { Database, LogEntriesTable, LogHeadTable, SealsTable } from '../schema.ts';
import { type Columns, insertTuples } from './many-rows.ts';
import { packText, unpackText } from './packing.ts';

export interface SealedHour extends Seal {
  /** Entry texts, in order. */
  entries: readonly string[];
}

const ROW_ID = 1;
const FIRST_SEQ = 1;
const ENTRY_COLUMNS: Columns<LogEntriesTable> = { seq: 'bigint', hour_ts: 'bigint', entry: 'text' };

export function createSealQueries(connection: Connection) {
  const { db } = connection;
  return {
    append: (drafts: readonly EntryDraft[]) => appendEntries(connection, drafts),

    /** Seals the earliest open hour before untilTs in one transaction; null if there is none. */
    async sealNext(untilTs: number) {
      const oldest = await db.selectFrom('log_entries').select('hour_ts').orderBy('seq').executeTakeFirst();
      if (!oldest || oldest.hour_ts >= untilTs) return null;
      const head = await holdHead(db, 0);
      // Read after locking, because another transaction may have appended or sealed in the meantime.
      const waiting = await db.selectFrom('log_entries').selectAll().orderBy('seq').execute();
      const hourTs = waiting[0]?.hour_ts;
      if (hourTs === undefined || hourTs >= untilTs) return null;
      const due = waiting.filter((row) => row.hour_ts === hourTs);
      const entries = due.map(({ entry }) => entry);
      const seal = sealHour(hourTs, due[0]!.seq, entries, head.chain);
      await db.insertInto('seals').values(toRow(seal, entries)).execute();
      await db.deleteFrom('log_entries').where('hour_ts', '=', hourTs).execute();
      const rest = waiting.filter((row) => row.hour_ts !== hourTs);
      await db
        .updateTable('log_head')
        .set({
          chain: seal.chain,
          running: rest.reduce(
            (running, { hour_ts, entry }) => addToRunning(running, hour_ts, entry),
            seal.chain,
          ),
          open_hour_ts: Math.max(head.open_hour_ts, hourTs + HOUR_MS),
        })
        .execute();
      return seal;
    },

    /** Seals after afterTs, earliest first. */
    async list(afterTs: number, limit: number) {
      const rows = await selectSeals(db)
        .where('hour_ts', '>', afterTs)
        .orderBy('hour_ts')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },

    async findNewest() {
      const row = await selectSeals(db).orderBy('hour_ts', 'desc').limit(1).executeTakeFirst();
      return row && fromRow(row);
    },

    async findHour(hourTs: number) {
      const row = await db.selectFrom('seals').selectAll().where('hour_ts', '=', hourTs).executeTakeFirst();
      return row && { ...fromRow(row), entries: unpackText(row.entries).split('\n') };
    },

    async readOpen() {
      const head = await db.selectFrom('log_head').selectAll().where('id', '=', ROW_ID).executeTakeFirst();
      const rows = await db.selectFrom('log_entries').selectAll().orderBy('seq').execute();
      const entries = rows.map(({ seq, hour_ts, entry }) => ({ seq, hourTs: hour_ts, entry }));
      const { next_seq: nextSeq, open_hour_ts: openHourTs, chain, running } = head ?? startOf();
      return { nextSeq, openHourTs, chain, running, entries };
    },
  };
}

/** Runs in the caller's transaction, so that a forecast and its entry are stored together. */
export async function appendEntries(connection: Connection, drafts: readonly EntryDraft[]): Promise<void> {
  if (drafts.length === 0) return;
  const { db } = connection;
  const head = await holdHead(db, drafts.length);
  let seq = head.next_seq - drafts.length;
  let { open_hour_ts: openHourTs, running } = head;
  const rows: (number | string)[][] = [];
  for (const draft of drafts) {
    // Never append to a sealed hour; hours must not decrease even if the clock was set back.
    openHourTs = Math.max(openHourTs, hourOf(draft.recordedTs));
    const entry = writeEntry(draft, seq, openHourTs);
    rows.push([seq, openHourTs, entry]);
    running = addToRunning(running, openHourTs, entry);
    seq += 1;
  }
  await insertTuples(connection, 'log_entries', ENTRY_COLUMNS, rows);
  await db.updateTable('log_head').set({ open_hour_ts: openHourTs, running }).execute();
}

/** Reserves sequence numbers and locks the head until the transaction ends. */
async function holdHead(db: Kysely<Database>, numbers: number): Promise<LogHeadTable> {
  return db
    .insertInto('log_head')
    .values({ ...startOf(), next_seq: FIRST_SEQ + numbers })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({ next_seq: eb('log_head.next_seq', '+', numbers) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

function startOf(): LogHeadTable {
  return { id: ROW_ID, next_seq: FIRST_SEQ, open_hour_ts: 0, chain: NO_SEAL, running: NO_SEAL };
}

function selectSeals(db: Kysely<Database>) {
  return db.selectFrom('seals').select(['hour_ts', 'first_seq', 'size', 'root', 'previous', 'chain']);
}

function toRow(seal: Seal, entries: readonly string[]): SealsTable {
  const { hourTs, firstSeq, size, root, previous, chain } = seal;
  const packed = packText(entries.join('\n'));
  return { hour_ts: hourTs, first_seq: firstSeq, size, root, previous, chain, entries: packed };
}

function fromRow(row: Omit<SealsTable, 'entries'>): Seal {
  const { hour_ts: hourTs, first_seq: firstSeq, size, root, previous, chain } = row;
  return { hourTs, firstSeq, size, root, previous, chain };
}
