// Prices and trades of past events, read from the venue. Reading an event again replaces its row.

import type { PastPrices, PastReading, PastTrades } from '../../domain/venue-past.ts';
import type { Connection } from '../engine.ts';
import { isAmong } from './many-rows.ts';
import { packPoints, packTrades, unpackPoints, unpackTrades } from './packed-past.ts';

type Kind = 'prices' | 'trades';

export function createPastQueries(connection: Connection) {
  const { db } = connection;
  async function put(kind: Kind, reading: PastReading, content: Uint8Array): Promise<void> {
    const row = {
      event_id: reading.eventId,
      kind,
      read_ts: reading.readTs,
      until_ts: reading.untilTs,
      is_whole: reading.isWhole ? 1 : 0,
      content,
    };
    await db
      .insertInto('venue_past')
      .values(row)
      .onConflict((conflict) => conflict.columns(['event_id', 'kind']).doUpdateSet(row))
      .execute();
  }

  function find(kind: Kind, eventId: number) {
    return db
      .selectFrom('venue_past')
      .selectAll()
      .where('event_id', '=', eventId)
      .where('kind', '=', kind)
      .executeTakeFirst();
  }

  async function list(kind: Kind, eventIds?: readonly number[]): Promise<PastReading[]> {
    let query = db
      .selectFrom('venue_past')
      .select(['event_id', 'read_ts', 'until_ts', 'is_whole'])
      .where('kind', '=', kind);
    if (eventIds !== undefined) query = query.where(isAmong(connection, 'event_id', 'bigint', eventIds));
    return (await query.orderBy('event_id').execute()).map(toReading);
  }

  return {
    async putPrices({ points, ...reading }: PastPrices) {
      await put('prices', reading, packPoints(points));
    },

    async findPrices(eventId: number): Promise<PastPrices | undefined> {
      const row = await find('prices', eventId);
      return row && { ...toReading(row), points: unpackPoints(row.content) };
    },

    /** How far each event's prices were read, by event id; of all events by default. */
    listPriced: (eventIds?: readonly number[]) => list('prices', eventIds),

    async putTrades({ trades, ...reading }: PastTrades) {
      await put('trades', reading, packTrades(trades));
    },

    async findTrades(eventId: number): Promise<PastTrades | undefined> {
      const row = await find('trades', eventId);
      return row && { ...toReading(row), trades: unpackTrades(row.content) };
    },

    /** How far each event's trades were read, by event id. */
    listTraded: () => list('trades'),
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
