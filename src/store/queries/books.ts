// Order books: a few rows per minute during an hour, then one block per event and hour, retained for years.

import type { BookPiece } from '../../domain/book.ts';
import { mergeHours } from '../../domain/book.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { Connection } from '../engine.ts';
import type { BookBlocksTable } from '../schema-archive.ts';
import { type Columns, replaceRows } from './many-rows.ts';
import { digestHour, packBooks, unpackBooks } from './packed-books.ts';

/** Piece number of a merged block; other pieces are numbered by the time they were recorded. */
const WHOLE = 0;

const COLUMNS: Columns<BookBlocksTable> = {
  event_id: 'bigint',
  hour_ts: 'bigint',
  piece: 'bigint',
  content: 'bytea',
};

export function createBookQueries(connection: Connection) {
  const { db } = connection;

  async function readHour(eventId: number, hourTs: number) {
    const rows = await db
      .selectFrom('book_blocks')
      .select('content')
      .where('event_id', '=', eventId)
      .where('hour_ts', '=', hourTs)
      .orderBy('piece')
      .execute();
    return mergeHours(rows.map(({ content }) => unpackBooks(content)));
  }

  const insert = (...rows: BookBlocksTable[]) =>
    replaceRows(connection, 'book_blocks', COLUMNS, ['event_id', 'hour_ts', 'piece'], rows);

  /** Deletes and returns in one statement, so that a piece recorded at the same time is in both or in neither. */
  async function takeHour(eventId: number, hourTs: number) {
    const pieces = await db
      .deleteFrom('book_blocks')
      .where('event_id', '=', eventId)
      .where('hour_ts', '=', hourTs)
      .returning(['piece', 'content'])
      .execute();
    pieces.sort((left, right) => left.piece - right.piece);
    return { pieces, hour: mergeHours(pieces.map(({ content }) => unpackBooks(content))) };
  }

  return {
    async record(pieces: readonly BookPiece[], recordedTs: number) {
      const rows = pieces.map(({ eventId, hourTs, ...hour }) => {
        const content = packBooks(mergeHours([hour]), 'piece');
        return { event_id: eventId, hour_ts: hourTs, piece: recordedTs, content };
      });
      await insert(...rows);
    },

    /** Unmerged hours before this time, earliest first. */
    async listLoose(beforeTs: number, limit: number) {
      const rows = await db
        .selectFrom('book_blocks')
        .select(['hour_ts', 'event_id'])
        .distinct()
        .where('piece', '>', WHOLE)
        .where('hour_ts', '<', beforeTs)
        .orderBy('hour_ts')
        .orderBy('event_id')
        .limit(limit)
        .execute();
      return rows.map(({ event_id, hour_ts }) => ({ eventId: event_id, hourTs: hour_ts }));
    },

    /** Merges an hour's pieces into one block, losslessly. */
    async compact(eventId: number, hourTs: number) {
      const { hour } = await takeHour(eventId, hourTs);
      const content = packBooks(hour, 'whole');
      await insert({ event_id: eventId, hour_ts: hourTs, piece: WHOLE, content });
    },

    /** Drops an hour that still has exactly this content; returns whether it did. */
    async dropHour(eventId: number, hourTs: number, digest: string) {
      const { pieces, hour } = await takeHour(eventId, hourTs);
      if (digestHour(hour) === digest) return true;
      await insert(...pieces.map((piece) => ({ event_id: eventId, hour_ts: hourTs, ...piece })));
      return false;
    },

    /** Non-empty hours that overlap [fromTs, untilTs), earliest first. */
    async listHours(eventId: number, fromTs: number, untilTs: number) {
      const rows = await db
        .selectFrom('book_blocks')
        .select('hour_ts')
        .distinct()
        .where('event_id', '=', eventId)
        .where('hour_ts', '>', fromTs - HOUR_MS)
        .where('hour_ts', '<', untilTs)
        .orderBy('hour_ts')
        .execute();
      return rows.map((row) => row.hour_ts);
    },

    readHour,
  };
}
