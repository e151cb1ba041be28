// Scores for settled forecasts, replaced if the final count is corrected later.

import type { AccountId } from '../../domain/account.ts';
import type { Connection } from '../engine.ts';
import type { ScoresTable } from '../schema.ts';
import { toFlag } from '../schema.ts';

export interface ForecastScore {
  eventId: number;
  accountId: AccountId;
  horizonH: number;
  /** End of the event's window. */
  endTs: number;
  finalCount: number;
  p50: number;
  errorPercent: number;
  crps: number;
  logScore: number;
  bucketLogScore: number;
  /** Randomised probability integral transform, and its bounds F(y-1), F(y). */
  pitLow: number;
  pitHigh: number;
  isInside50: boolean;
  isInside90: boolean;
  /** Probability and outcome per bucket, for reliability. */
  buckets: readonly { probability: number; won: boolean; marketPrice: number | null }[];
  /** CRPS and bucket log score of each baseline; 'market' is the de-vigged market. */
  baselines: Readonly<
    Record<string, { crps: number | null; bucketLogScore: number | null; p50: number | null }>
  >;
  modelVersion: string;
  scoredTs: number;
}

export function createScoreQueries({ db }: Connection) {
  return {
    /** If an event is scored again (after a late correction), the new score replaces the old one. */
    async upsert(scores: readonly ForecastScore[]) {
      for (const score of scores) {
        const row = toRow(score);
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
      return rows.map(fromRow);
    },
  };
}

function toRow(score: ForecastScore): ScoresTable {
  return {
    event_id: score.eventId,
    horizon_h: score.horizonH,
    account_id: score.accountId,
    end_ts: score.endTs,
    final_count: score.finalCount,
    p50: score.p50,
    error_percent: score.errorPercent,
    crps: score.crps,
    log_score: score.logScore,
    bucket_log_score: score.bucketLogScore,
    pit_low: score.pitLow,
    pit_high: score.pitHigh,
    is_inside_50: toFlag(score.isInside50),
    is_inside_90: toFlag(score.isInside90),
    buckets: JSON.stringify(score.buckets),
    baselines: JSON.stringify(score.baselines),
    model_version: score.modelVersion,
    scored_ts: score.scoredTs,
  };
}

function fromRow(row: ScoresTable): ForecastScore {
  return {
    eventId: row.event_id,
    horizonH: row.horizon_h,
    accountId: row.account_id,
    endTs: row.end_ts,
    finalCount: row.final_count,
    p50: row.p50,
    errorPercent: row.error_percent,
    crps: row.crps,
    logScore: row.log_score,
    bucketLogScore: row.bucket_log_score,
    pitLow: row.pit_low,
    pitHigh: row.pit_high,
    isInside50: row.is_inside_50 === 1,
    isInside90: row.is_inside_90 === 1,
    buckets: JSON.parse(row.buckets) as ForecastScore['buckets'],
    baselines: JSON.parse(row.baselines) as ForecastScore['baselines'],
    modelVersion: row.model_version,
    scoredTs: row.scored_ts,
  };
}
