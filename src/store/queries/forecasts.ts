// Published forecasts, with market prices at the same time.

import type { AccountId } from '../../domain/account.ts';
import type { EntryDraft } from '../../sealing/entry.ts';
import type { Connection } from '../engine.ts';
import type { ForecastsTable } from '../schema.ts';
import { FORECAST_POINTS, type ForecastPoint } from '../tables-results.ts';
import { createForecastCourse } from './forecast-course.ts';
import { type Columns, replaceRows } from './many-rows.ts';
import { packNumbers, unpackNumbers } from './packing.ts';
import { appendEntries } from './seals.ts';

/** Either as returned by the forecaster or as read from the store. */
export type Numbers = readonly number[] | Float64Array;

export interface ForecastRecord extends ForecastPoint {
  eventId: number;
  accountId: AccountId;
  distributionFrom: number;
  distribution: Numbers;
  /** Each baseline's p50 and bucket probabilities, for comparison. */
  baselines: Readonly<
    Record<string, { p50: number; distributionFrom: number; distribution: Numbers }>
  > | null;
  buildCommit: string;
}

const COLUMNS: Columns<ForecastsTable> = {
  ...FORECAST_POINTS.sqlTypes,
  event_id: 'bigint',
  account_id: 'text',
  law_from: 'bigint',
  law: 'bytea',
  baselines: 'text',
  baseline_laws: 'bytea',
  build_commit: 'text',
};

export function createForecastQueries(connection: Connection) {
  const { db } = connection;
  return {
    /** Stores forecasts and their log entries in one transaction. */
    async record(forecasts: readonly ForecastRecord[], log: readonly EntryDraft[] = []) {
      await appendEntries(connection, log);
      const rows = new Map(forecasts.map((each) => [`${each.eventId} ${each.asofTs}`, toRow(each)]));
      await replaceRows(connection, 'forecasts', COLUMNS, ['event_id', 'asof_ts'], [...rows.values()]);
    },

    /** The latest forecast published at or before ts. */
    async standingAt(eventId: number, ts: number) {
      const row = await db
        .selectFrom('forecasts')
        .selectAll()
        .where('event_id', '=', eventId)
        .where('asof_ts', '<=', ts)
        .orderBy('asof_ts', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    async latest(eventIds: readonly number[]) {
      if (eventIds.length === 0) return [];
      const rows = await db
        .with('newest', (cte) =>
          cte
            .selectFrom('forecasts')
            .select((eb) => ['event_id', eb.fn.max('asof_ts').as('asof_ts')])
            .where('event_id', 'in', eventIds)
            .groupBy('event_id'),
        )
        .selectFrom('forecasts')
        .innerJoin('newest', (join) =>
          join
            .onRef('newest.event_id', '=', 'forecasts.event_id')
            .onRef('newest.asof_ts', '=', 'forecasts.asof_ts'),
        )
        .selectAll('forecasts')
        .orderBy('forecasts.event_id')
        .execute();
      return rows.map(fromRow);
    },

    ...createForecastCourse(db),
  };
}

type Baselines = NonNullable<ForecastRecord['baselines']>;

/** A stored baseline; `length` is its number of values in the packed distributions. */
interface BaselineHead {
  name: string;
  p50: number;
  lawFrom: number;
  length: number;
}

function toRow(forecast: ForecastRecord): ForecastsTable {
  const baselines = Object.entries(forecast.baselines ?? {});
  const heads: BaselineHead[] = baselines.map(([name, { p50, distributionFrom, distribution }]) => ({
    name,
    p50,
    lawFrom: distributionFrom,
    length: distribution.length,
  }));
  return {
    ...FORECAST_POINTS.toRow(forecast),
    event_id: forecast.eventId,
    account_id: forecast.accountId,
    law_from: forecast.distributionFrom,
    law: packNumbers(forecast.distribution),
    baselines: forecast.baselines === null ? null : JSON.stringify(heads),
    baseline_laws: packNumbers(baselines.flatMap(([, { distribution }]) => [...distribution])),
    build_commit: forecast.buildCommit,
  };
}

function fromRow(row: ForecastsTable): ForecastRecord {
  return {
    ...FORECAST_POINTS.fromRow(row),
    eventId: row.event_id,
    accountId: row.account_id,
    distributionFrom: row.law_from,
    distribution: unpackNumbers(row.law),
    baselines: row.baselines === null ? null : toBaselines(row.baselines, unpackNumbers(row.baseline_laws)),
    buildCommit: row.build_commit,
  };
}

function toBaselines(headsJson: string, distributions: readonly number[]): Baselines {
  let start = 0;
  const baselines = (JSON.parse(headsJson) as BaselineHead[]).map(({ name, p50, lawFrom, length }) => {
    const distribution = distributions.slice(start, (start += length));
    return [name, { p50, distributionFrom: lawFrom, distribution }] as const;
  });
  return Object.fromEntries(baselines);
}
