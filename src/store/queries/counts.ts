// Counts from the oracle and the market's page. Rows are append-only; the last confirmation time is in a
// separate small table, which is read at start.

import type { Connection } from '../engine.ts';
import type { CountsLatestTable } from '../schema.ts';

export type CountFeed = 'oracle' | 'ui';

export interface CountObservation {
  eventId: number;
  feed: CountFeed;
  count: number;
  observedTs: number;
}

export function createCountQueries({ db }: Connection) {
  async function findLatest(observation: CountObservation): Promise<CountsLatestTable | undefined> {
    return db
      .selectFrom('counts_latest')
      .selectAll()
      .where('event_id', '=', observation.eventId)
      .where('feed', '=', observation.feed)
      .executeTakeFirst();
  }

  async function confirm(latest: CountsLatestTable, observedTs: number): Promise<void> {
    await db
      .updateTable('counts_latest')
      .set({ confirmed_ts: Math.max(latest.confirmed_ts, observedTs) })
      .where('event_id', '=', latest.event_id)
      .where('feed', '=', latest.feed)
      .execute();
  }

  async function append({ eventId, feed, count, observedTs }: CountObservation, seq: number): Promise<void> {
    await db
      .insertInto('counts')
      .values({ event_id: eventId, feed, seq, count, observed_ts: observedTs })
      .execute();
    await db
      .insertInto('counts_latest')
      .values({ event_id: eventId, feed, seq, count, confirmed_ts: observedTs })
      .onConflict((conflict) =>
        conflict.columns(['event_id', 'feed']).doUpdateSet({ seq, count, confirmed_ts: observedTs }),
      )
      .execute();
  }

  return {
    /** Append-only; a repeated count only updates the confirmation time of the last row. */
    async record(observations: readonly CountObservation[]) {
      for (const observation of observations) {
        const latest = await findLatest(observation);
        if (latest?.count === observation.count) await confirm(latest, observation.observedTs);
        else await append(observation, (latest?.seq ?? 0) + 1);
      }
    },

    async latest(eventIds: readonly number[]) {
      if (eventIds.length === 0) return [];
      const rows = await db
        .selectFrom('counts_latest')
        .selectAll()
        .where('event_id', 'in', eventIds)
        .orderBy('event_id')
        .orderBy('feed')
        .execute();
      return rows.map((row) => toObservation(row, row.confirmed_ts));
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

function toObservation(
  row: { event_id: number; feed: string; count: number },
  observedTs: number,
): CountObservation {
  return { eventId: row.event_id, feed: row.feed as CountFeed, count: row.count, observedTs };
}
