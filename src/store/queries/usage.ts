// Usage per key: one row per request or per group of identical requests within a second, with hourly sums
// so that long periods are exact and fast.

import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { HOUR_MS } from '../../domain/units.ts';
import type { Connection } from '../engine.ts';
import { USAGE, type UsageRow } from '../tables-callers.ts';
import { insertTuples } from './many-rows.ts';
import {
  addHours,
  addTotals,
  compareTexts,
  type EndpointUsage,
  FIRST_ERROR_STATUS,
  mergeUsage,
  splitPeriod,
  sumByHour,
  type UsageValues,
} from './usage-hours.ts';

/** The same rows in columns, so that thousands of rows go to another thread as one block of numbers. */
export interface UsageColumns {
  length: number;
  /** Key ids, endpoints, methods and messages, referenced by index. */
  texts: readonly string[];
  /** USAGE_WIDTH numbers per row: ts, key, endpoint, method, status, responseMs, bytes, message or -1, requests. */
  numbers: Float64Array;
}

export const USAGE_WIDTH = 9;

const NOTHING = { requests: 0, errors: 0, responseMsTotal: 0, bytes: 0 };

export function createUsageQueries(connection: Connection) {
  const { db, engine } = connection;

  async function byEndpoint(keyId: string, fromTs: number, untilTs: number): Promise<EndpointUsage[]> {
    const { hours, ends } = splitPeriod(fromTs, untilTs);
    const parts = hours ? await sumHours(db, keyId, ...hours) : [];
    for (const [endFromTs, endUntilTs] of ends)
      parts.push(...(await sumRows(db, keyId, endFromTs, endUntilTs)));
    return mergeUsage(parts);
  }

  return {
    async append(given: readonly UsageRow[] | UsageColumns) {
      const rows = 'numbers' in given ? unpackByKey(given) : sortByKey(given);
      await engine.commitWithoutWaiting(db);
      await insertTuples(connection, 'usage', USAGE.sqlTypes, rows());
      await addHours(connection, sumByHour(rows()));
    },

    /** Exact for periods that start and end on whole seconds. */
    async totals(keyId: string, fromTs: number, untilTs: number) {
      return (await byEndpoint(keyId, fromTs, untilTs)).reduce(addTotals, NOTHING);
    },

    byEndpoint,

    async recentErrors(keyId: string, limit: number) {
      const rows = await db
        .selectFrom('usage')
        .selectAll()
        .where('key_id', '=', keyId)
        .where('status', '>=', sql.lit(FIRST_ERROR_STATUS))
        .orderBy('ts', 'desc')
        .limit(limit)
        .execute();
      return rows.map(USAGE.fromRow);
    },

    async prune(beforeTs: number) {
      const deleted = await db.deleteFrom('usage').where('ts', '<', beforeTs).executeTakeFirst();
      await db
        .deleteFrom('usage_hours')
        .where('hour_ts', '<=', beforeTs - HOUR_MS)
        .execute();
      return Number(deleted.numDeletedRows);
    },
  };
}

async function sumRows(
  db: Connection['db'],
  keyId: string,
  fromTs: number,
  untilTs: number,
): Promise<EndpointUsage[]> {
  if (fromTs >= untilTs) return [];
  const failed = sql`sum(case when status >= ${sql.lit(FIRST_ERROR_STATUS)} then requests else 0 end)`;
  const rows = await db
    .selectFrom('usage')
    .where('key_id', '=', keyId)
    .where('ts', '>=', fromTs)
    .where('ts', '<', untilTs)
    .select(['endpoint', 'method', ...sumColumns(failed)])
    .groupBy(['endpoint', 'method'])
    .execute();
  return rows.map((row) => ({ ...row }));
}

async function sumHours(
  db: Connection['db'],
  keyId: string,
  fromTs: number,
  untilTs: number,
): Promise<EndpointUsage[]> {
  const rows = await db
    .selectFrom('usage_hours')
    .where('key_id', '=', keyId)
    .where('hour_ts', '>=', fromTs)
    .where('hour_ts', '<', untilTs)
    .select(['endpoint', 'method', ...sumColumns(sql`sum(errors)`)])
    .groupBy(['endpoint', 'method'])
    .execute();
  return rows.map((row) => ({ ...row }));
}

function sumColumns(errors: RawBuilder<unknown>) {
  return [
    asInteger(sql`sum(requests)`).as('requests'),
    asInteger(errors).as('errors'),
    sql<number>`sum(response_ms)`.as('responseMsTotal'),
    asInteger(sql`sum(bytes)`).as('bytes'),
  ] as const;
}

// Needs a cast, because PostgreSQL sums 64-bit columns into a wider type that arrives as text.
function asInteger(sum: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`cast(${sum} as bigint)`;
}

function sortByKey(given: readonly UsageRow[]): () => Iterable<UsageValues> {
  const sorted = given.toSorted((left, right) => compareTexts(left.keyId, right.keyId));
  const rows = sorted.map((row): UsageValues => {
    const { ts, keyId, endpoint, method, status, responseMs, bytes, message, requests } = row;
    return [ts, keyId, endpoint, method, status, responseMs, bytes, message, requests];
  });
  return () => rows;
}

/**
 * Groups rows by key so that index pages are written once; interleaved keys would rewrite every page. Creates
 * rows lazily.
 */
function unpackByKey(columns: UsageColumns): () => Iterable<UsageValues> {
  const { length, texts, numbers } = columns;
  const rowsOf = new Map<number, number[]>();
  for (let row = 0; row < length; row++) {
    const key = numbers[row * USAGE_WIDTH + 1]!;
    const rows = rowsOf.get(key);
    if (rows) rows.push(row);
    else rowsOf.set(key, [row]);
  }
  const sorted = [...rowsOf].sort(([left], [right]) => compareTexts(texts[left]!, texts[right]!));
  return function* unpackEach() {
    for (const [, rows] of sorted) for (const row of rows) yield unpackRow(columns, row);
  };
}

function unpackRow({ texts, numbers }: UsageColumns, row: number): UsageValues {
  const i = row * USAGE_WIDTH;
  return [
    numbers[i]!,
    texts[numbers[i + 1]!]!,
    texts[numbers[i + 2]!]!,
    texts[numbers[i + 3]!]!,
    numbers[i + 4]!,
    numbers[i + 5]!,
    numbers[i + 6]!,
    texts[numbers[i + 7]!] ?? null,
    numbers[i + 8]!,
  ];
}
