// Forecast history: read as points without distributions, and pruned one time range per call, so that pruning
// a year takes many short writes.

import { type Kysely, sql } from 'kysely';
import { SCORED_HORIZONS_H } from '../../domain/scored-horizons.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { RowOf } from '../record-table.ts';
import type { Database } from '../schema.ts';
import { FORECAST_POINTS } from '../tables-results.ts';

export interface PointRange {
  fromTs: number;
  /** Exclusive. */
  untilTs: number;
  limit: number;
  /** True to return only the last forecast of each hour. */
  isHourly: boolean;
  /** False to leave out the model's probabilities, which take half of the time. */
  hasModel?: boolean;
}

const NO_BYTES = new Uint8Array(0);

const POINT_COLUMNS = Object.keys(FORECAST_POINTS.sqlTypes) as (keyof typeof FORECAST_POINTS.sqlTypes)[];

const PUBLIC_COLUMNS = POINT_COLUMNS.filter((name) => name !== 'bucket_probabilities');

function withoutModel(row: RowOf<typeof FORECAST_POINTS.columns>) {
  return FORECAST_POINTS.fromRow({ ...row, bucket_probabilities: '[]' });
}

export function createForecastCourse(db: Kysely<Database>) {
  return {
    /** An event's forecast history, earliest first, without distributions. */
    async listPoints(eventId: number, { fromTs, untilTs, limit, isHourly, hasModel = true }: PointRange) {
      let query = db
        .selectFrom('forecasts')
        .select(hasModel ? POINT_COLUMNS : PUBLIC_COLUMNS)
        .where('event_id', '=', eventId)
        .where('asof_ts', '>=', fromTs)
        .where('asof_ts', '<', untilTs);
      if (isHourly) {
        const lastOfHours = db
          .selectFrom('forecasts')
          .select((eb) => eb.fn.max('asof_ts').as('asof_ts'))
          .where('event_id', '=', eventId)
          .where('asof_ts', '>=', fromTs)
          .where('asof_ts', '<', untilTs)
          .groupBy(sql`asof_ts / ${sql.lit(HOUR_MS)}`);
        query = query.where('asof_ts', 'in', lastOfHours);
      }
      const rows = await query.orderBy('asof_ts').limit(limit).execute();
      return rows.map(hasModel ? FORECAST_POINTS.fromRow : withoutModel);
    },

    async listEventIds() {
      const rows = await db
        .selectFrom('forecasts')
        .select('event_id')
        .distinct()
        .orderBy('event_id')
        .execute();
      return rows.map((row) => row.event_id);
    },

    /** Time of the first forecast of any event at or after fromTs. */
    async findNextTs(fromTs: number) {
      const row = await db
        .selectFrom('forecasts')
        .select('asof_ts')
        .where('asof_ts', '>=', fromTs)
        .orderBy('asof_ts')
        .limit(1)
        .executeTakeFirst();
      return row?.asof_ts;
    },

    /** Deletes the distributions of forecasts made in [fromTs, untilTs), except at the scored horizons. */
    async dropDistributions(fromTs: number, untilTs: number) {
      const updated = await sql`
        ${standingOf(fromTs, untilTs)}
        update forecasts set law = ${NO_BYTES}, baseline_laws = ${NO_BYTES}, baselines = null
        where asof_ts >= ${fromTs} and asof_ts < ${untilTs} and length(law) > 0
          and (event_id, asof_ts) not in (select event_id, asof_ts from standing)
      `.execute(db);
      return Number(updated.numAffectedRows ?? 0n);
    },

    /**
     * In [fromTs, untilTs), which must be whole hours, deletes all forecasts except the last of each hour and
     * those at the scored horizons.
     */
    async thin(fromTs: number, untilTs: number) {
      const deleted = await sql`
        ${standingOf(fromTs, untilTs)},
        hourly as (
          select event_id, max(asof_ts) as asof_ts from forecasts
          where asof_ts >= ${fromTs} and asof_ts < ${untilTs}
          group by event_id, asof_ts / ${sql.lit(HOUR_MS)}
        )
        delete from forecasts where asof_ts >= ${fromTs} and asof_ts < ${untilTs}
          and (event_id, asof_ts) not in (select event_id, asof_ts from standing)
          and (event_id, asof_ts) not in (select event_id, asof_ts from hourly)
      `.execute(db);
      return Number(deleted.numAffectedRows ?? 0n);
    },
  };
}

/** Forecasts at the scored horizons of events in this range, which pruning keeps. */
function standingOf(fromTs: number, untilTs: number) {
  const horizons = sql.join(SCORED_HORIZONS_H.map((hours) => sql`(${sql.lit(hours * HOUR_MS)})`));
  return sql`
    with horizon (before_end_ms) as (values ${horizons}),
    touched as (
      select distinct event_id from forecasts where asof_ts >= ${fromTs} and asof_ts < ${untilTs}
    ),
    standing_or_none as (
      select t.event_id, (
        select max(f.asof_ts) from forecasts f
        where f.event_id = t.event_id and f.asof_ts <= e.end_ts - h.before_end_ms
      ) as asof_ts
      from touched t join events e on e.event_id = t.event_id cross join horizon h
    ),
    standing as (select event_id, asof_ts from standing_or_none where asof_ts is not null)`;
}
