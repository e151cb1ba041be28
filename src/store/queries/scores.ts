// Scores for settled forecasts, and the annotations of their charts: model and build changes.

import { sql } from 'kysely';
import type { AccountId } from '../../domain/account.ts';
import type { Connection } from '../engine.ts';
import { ANNOTATIONS, type Annotation, type ForecastScore, SCORES } from '../tables-results.ts';
import { isAmong } from './many-rows.ts';

export function createScoreQueries(connection: Connection) {
  const { db } = connection;
  return {
    /** If an event is scored again (after a late correction), the new score replaces the old one. */
    async upsert(scores: readonly ForecastScore[]) {
      for (const score of scores) {
        const row = SCORES.toRow(score);
        await db
          .insertInto('scores')
          .values(row)
          .onConflict((conflict) => conflict.columns(['event_id', 'horizon_h']).doUpdateSet(row))
          .execute();
      }
    },

    /** Changes with everything that the record is computed from; takes less than a millisecond. */
    async readStamp() {
      const { rows } = await sql<Record<string, number | null>>`select
        (select count(*) from scores) as scores,
        (select max(scored_ts) from scores) as scored_ts,
        (select count(*) from signals) as signals,
        (select count(closing_line_value) from signals) as closing_lines,
        (select count(settled_ts) from signals) as settled_signals,
        (select max(settled_ts) from signals) as signal_settled_ts,
        (select count(*) from settlements) as settlements,
        (select count(*) from venue_past) as priced,
        (select count(*) from annotations) as annotations,
        (select sum(length(value)) from cursors where name like 'recomputed-advice:%') as ledgers`.execute(
        db,
      );
      return JSON.stringify(rows[0]);
    },

    async list({
      accountId,
      horizonH,
      endedAfterTs,
      eventIds,
    }: {
      accountId?: AccountId | undefined;
      horizonH?: number;
      endedAfterTs?: number;
      eventIds?: readonly number[];
    }) {
      let query = db.selectFrom('scores').selectAll();
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      if (horizonH !== undefined) query = query.where('horizon_h', '=', horizonH);
      if (endedAfterTs !== undefined) query = query.where('end_ts', '>', endedAfterTs);
      if (eventIds !== undefined) query = query.where(isAmong(connection, 'event_id', 'bigint', eventIds));
      const rows = await query.orderBy('end_ts').orderBy('event_id').orderBy('horizon_h').execute();
      return rows.map(SCORES.fromRow);
    },

    /** A text per scored event that changes whenever its scores do. */
    async listVersions(accountId?: AccountId) {
      let query = db.selectFrom('scores');
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      const rows = await query
        .select((eb) => [
          'event_id',
          eb.fn.countAll<number>().as('scores'),
          eb.fn.max('scored_ts').as('scored_ts'),
        ])
        .groupBy('event_id')
        .execute();
      return rows.map((row) => ({ eventId: row.event_id, version: `${row.scores} ${row.scored_ts}` }));
    },

    /** Events with any score. */
    async listEventIds(accountId: AccountId) {
      const ids = db.selectFrom('scores').select('event_id').where('account_id', '=', accountId);
      return (await ids.distinct().execute()).map((row) => row.event_id);
    },
  };
}

export function createAnnotationQueries({ db }: Connection) {
  return {
    async add(annotation: Annotation) {
      await db
        .insertInto('annotations')
        .values(ANNOTATIONS.toRow(annotation))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async list(afterTs: number) {
      const rows = await db
        .selectFrom('annotations')
        .selectAll()
        .where('ts', '>', afterTs)
        .orderBy('ts')
        .orderBy('label')
        .execute();
      return rows.map(ANNOTATIONS.fromRow);
    },
  };
}
