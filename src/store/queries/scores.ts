// Scores for settled forecasts, and the annotations of their charts: model and build changes.

import type { AccountId } from '../../domain/account.ts';
import type { Connection } from '../engine.ts';
import { ANNOTATIONS, type Annotation, type ForecastScore, SCORES } from '../tables-results.ts';

export function createScoreQueries({ db }: Connection) {
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

    async list({
      accountId,
      horizonH,
      endedAfterTs,
    }: {
      accountId?: AccountId | undefined;
      horizonH?: number;
      endedAfterTs?: number;
    }) {
      let query = db.selectFrom('scores').selectAll();
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      if (horizonH !== undefined) query = query.where('horizon_h', '=', horizonH);
      if (endedAfterTs !== undefined) query = query.where('end_ts', '>', endedAfterTs);
      const rows = await query.orderBy('end_ts').orderBy('event_id').orderBy('horizon_h').execute();
      return rows.map(SCORES.fromRow);
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
