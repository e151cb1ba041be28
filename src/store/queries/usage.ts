// What each key used, one row per request; sums are taken when asked for, so that they are exact.

import type { ExpressionBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Connection } from '../engine.ts';
import type { UsageRow, UsageStore } from '../ports.ts';
import type { Database, UsageTable } from '../schema.ts';
import { batchesOf } from './batches.ts';

const COLUMN_COUNT = 8;
const FIRST_ERROR_STATUS = 400;

export function createUsageQueries({ db }: Connection): UsageStore {
  function selectPeriod(keyId: string, fromTs: number, untilTs: number) {
    return db
      .selectFrom('usage')
      .where('key_id', '=', keyId)
      .where('ts', '>=', fromTs)
      .where('ts', '<', untilTs);
  }

  return {
    async append(rows) {
      for (const batch of batchesOf(rows, COLUMN_COUNT)) {
        await db.insertInto('usage').values(batch.map(toRow)).execute();
      }
    },

    async totals(keyId, fromTs, untilTs) {
      return { ...(await selectPeriod(keyId, fromTs, untilTs).select(sums).executeTakeFirstOrThrow()) };
    },

    async byEndpoint(keyId, fromTs, untilTs) {
      const rows = await selectPeriod(keyId, fromTs, untilTs)
        .select(['endpoint', 'method'])
        .select(sums)
        .groupBy(['endpoint', 'method'])
        .orderBy('requests', 'desc')
        .orderBy('endpoint')
        .orderBy('method')
        .execute();
      return rows.map((row) => ({ ...row }));
    },

    async recentErrors(keyId, limit) {
      const rows = await db
        .selectFrom('usage')
        .selectAll()
        .where('key_id', '=', keyId)
        .where('status', '>=', sql.lit(FIRST_ERROR_STATUS))
        .orderBy('ts', 'desc')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },

    async prune(beforeTs) {
      const deleted = await db.deleteFrom('usage').where('ts', '<', beforeTs).executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}

// Cast because PostgreSQL sums 64-bit columns into a wider type, which arrives as text.
function sums(eb: ExpressionBuilder<Database, 'usage'>) {
  return [
    eb.fn.countAll<number>().as('requests'),
    sql<number>`cast(coalesce(sum(case when status >= ${sql.lit(FIRST_ERROR_STATUS)} then 1 else 0 end), 0) as bigint)`.as(
      'errors',
    ),
    sql<number>`cast(coalesce(sum(response_ms), 0) as double precision)`.as('responseMsTotal'),
    sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as('bytes'),
  ] as const;
}

function toRow(row: UsageRow): UsageTable {
  return {
    ts: row.ts,
    key_id: row.keyId,
    endpoint: row.endpoint,
    method: row.method,
    status: row.status,
    response_ms: row.responseMs,
    bytes: row.bytes,
    message: row.message,
  };
}

function fromRow(row: UsageTable): UsageRow {
  return {
    ts: row.ts,
    keyId: row.key_id,
    endpoint: row.endpoint,
    method: row.method,
    status: row.status,
    responseMs: row.response_ms,
    bytes: row.bytes,
    message: row.message,
  };
}
