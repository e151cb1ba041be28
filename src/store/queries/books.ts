// Order books: a few rows per minute during an hour, then one block per event and hour, retained for years.

import type { BookPiece } from '../../domain/book.ts';
import { mergeHours } from '../../domain/book.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { Connection } from '../engine.ts';
import { digestHour, packBooks, unpackBooks } from './packed-books.ts';

/** Piece number of a merged block; other pieces are numbered by the time they were recorded. */
const WHOLE = 0;

export function createBookQueries({ db }: Connection) {
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

  async function insert(eventId: number, hourTs: number, piece: number, content: Uint8Array): Promise<void> {
    const row = { event_id: eventId, hour_ts: hourTs, piece, content };
    await db
      .insertInto('book_blocks')
      .values(row)
      .onConflict((conflict) => conflict.columns(['event_id', 'hour_ts', 'piece']).doUpdateSet(row))
      .execute();
  }

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
      for (const { eventId, hourTs, ...hour } of pieces)
        await insert(eventId, hourTs, recordedTs, packBooks(mergeHours([hour]), 'piece'));
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
      await insert(eventId, hourTs, WHOLE, packBooks(hour, 'whole'));
    },

    /** Drops an hour that still has exactly this content; returns whether it did. */
    async dropHour(eventId: number, hourTs: number, digest: string) {
      const { pieces, hour } = await takeHour(eventId, hourTs);
      if (digestHour(hour) === digest) return true;
      for (const { piece, content } of pieces) await insert(eventId, hourTs, piece, content);
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
