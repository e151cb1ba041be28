// Counts from the oracle and the market's page. Rows are append-only; the last confirmation time is in a
// separate small table, which is read at start.

import type { Connection } from '../engine.ts';
import type { CountsLatestTable, CountsTable } from '../schema.ts';
import { type Columns, insertTuples, isAmong, replaceRows } from './many-rows.ts';

export type CountFeed = 'oracle' | 'ui';

export interface CountObservation {
  eventId: number;
  feed: CountFeed;
  count: number;
  observedTs: number;
}

const COUNTS: Columns<CountsTable> = {
  event_id: 'bigint',
  feed: 'text',
  seq: 'bigint',
  count: 'bigint',
  observed_ts: 'bigint',
};
const LATEST: Columns<CountsLatestTable> = {
  event_id: 'bigint',
  feed: 'text',
  seq: 'bigint',
  count: 'bigint',
  confirmed_ts: 'bigint',
};

export function createCountQueries(connection: Connection) {
  const { db } = connection;

  async function selectLatest(eventIds: readonly number[]): Promise<CountsLatestTable[]> {
    if (eventIds.length === 0) return [];
    return db
      .selectFrom('counts_latest')
      .select(['event_id', 'feed', 'seq', 'count', 'confirmed_ts'])
      .where(isAmong(connection, 'event_id', 'bigint', eventIds))
      .orderBy('event_id')
      .orderBy('feed')
      .execute();
  }

  return {
    /** Append-only; a repeated count only updates the confirmation time of the last row. */
    async record(observations: readonly CountObservation[]) {
      const known = await selectLatest([...new Set(observations.map(({ eventId }) => eventId))]);
      const latest = new Map(known.map((row) => [`${row.event_id} ${row.feed}`, row]));
      const confirmed = new Map<string, CountsLatestTable>();
      const added: (number | string)[][] = [];
      for (const observation of observations) {
        const { eventId, feed, count, observedTs } = observation;
        const key = `${eventId} ${feed}`;
        const next = confirm(latest.get(key), observation);
        if (next.seq !== latest.get(key)?.seq) added.push([eventId, feed, next.seq, count, observedTs]);
        latest.set(key, next);
        confirmed.set(key, next);
      }
      await insertTuples(connection, 'counts', COUNTS, added);
      await replaceRows(connection, 'counts_latest', LATEST, ['event_id', 'feed'], [...confirmed.values()]);
    },

    async latest(eventIds: readonly number[]) {
      return (await selectLatest(eventIds)).map((row) => toObservation(row, row.confirmed_ts));
    },

    async history(eventId: number, feed: CountFeed) {
      const rows = await db
        .selectFrom('counts')
        .select(['count', 'observed_ts'])
        .where('event_id', '=', eventId)
        .where('feed', '=', feed)
        .orderBy('seq')
        .execute();
      return rows.map((row) => ({ eventId, feed, count: row.count, observedTs: row.observed_ts }));
    },
  };
}

function confirm(before: CountsLatestTable | undefined, observation: CountObservation): CountsLatestTable {
  const { eventId, feed, count, observedTs } = observation;
  if (before?.count === count) return { ...before, confirmed_ts: Math.max(before.confirmed_ts, observedTs) };
  return { event_id: eventId, feed, seq: (before?.seq ?? 0) + 1, count, confirmed_ts: observedTs };
}

function toObservation(
  row: { event_id: number; feed: string; count: number },
  observedTs: number,
): CountObservation {
  return { eventId: row.event_id, feed: row.feed as CountFeed, count: row.count, observedTs };
}
