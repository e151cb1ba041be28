// Prices of past events, read from the venue. Reading an event again replaces its row.

import type { PastPrices, PastReading } from '../../domain/venue-past.ts';
import type { Connection } from '../engine.ts';
import { isAmong } from './many-rows.ts';
import { packPoints, unpackPoints } from './packed-past.ts';

export function createPastQueries(connection: Connection) {
  const { db } = connection;
  return {
    async putPrices({ eventId, readTs, untilTs, isWhole, points }: PastPrices) {
      const reading = { event_id: eventId, read_ts: readTs, until_ts: untilTs, is_whole: isWhole ? 1 : 0 };
      const row = { ...reading, content: packPoints(points) };
      await db
        .insertInto('venue_past')
        .values(row)
        .onConflict((conflict) => conflict.column('event_id').doUpdateSet(row))
        .execute();
    },

    async findPrices(eventId: number): Promise<PastPrices | undefined> {
      const row = await db
        .selectFrom('venue_past')
        .selectAll()
        .where('event_id', '=', eventId)
        .executeTakeFirst();
      return row && { ...toReading(row), points: unpackPoints(row.content) };
    },

    /** How far each event's prices were read, by event id; of all events by default. */
    async listPriced(eventIds?: readonly number[]): Promise<PastReading[]> {
      let query = db.selectFrom('venue_past').select(['event_id', 'read_ts', 'until_ts', 'is_whole']);
      if (eventIds !== undefined) query = query.where(isAmong(connection, 'event_id', 'bigint', eventIds));
      return (await query.orderBy('event_id').execute()).map(toReading);
    },
  };
}

function toReading(row: {
  event_id: number;
  read_ts: number;
  until_ts: number;
  is_whole: number;
}): PastReading {
  const { event_id: eventId, read_ts: readTs, until_ts: untilTs } = row;
  return { eventId, readTs, untilTs, isWhole: row.is_whole === 1 };
}
