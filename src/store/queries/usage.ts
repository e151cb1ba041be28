// What each key used, one row per request; sums are taken when asked for, so that they are exact.

import type { ExpressionBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Connection } from '../engine.ts';
import type { UsageColumns, UsageRow, UsageStore } from '../ports.ts';
import { USAGE_WIDTH } from '../ports-callers.ts';
import type { Database, UsageTable } from '../schema.ts';
import { batchesOf } from './batches.ts';

const COLUMN_COUNT = 8;
const FIRST_ERROR_STATUS = 400;

const INSERT = `insert into usage (ts, key_id, endpoint, method, status, response_ms, bytes, message)
  values (?, ?, ?, ?, ?, ?, ?, ?)`;

export function createUsageQueries({ db, runEach }: Connection): UsageStore {
  function selectPeriod(keyId: string, fromTs: number, untilTs: number) {
    return db
      .selectFrom('usage')
      .where('key_id', '=', keyId)
      .where('ts', '>=', fromTs)
      .where('ts', '<', untilTs);
  }

  return {
    async append(given) {
      const rows = 'numbers' in given ? unpackUsage(given) : given.map(toValues);
      if (runEach) return runEach(INSERT, rows);
      for (const batch of batchesOf(rows, COLUMN_COUNT)) {
        await db.insertInto('usage').values(batch.map(toTable)).execute();
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

type Values = [number, string, string, string, number, number, number, string | null];

function toValues(row: UsageRow): Values {
  const { ts, keyId, endpoint, method, status, responseMs, bytes, message } = row;
  return [ts, keyId, endpoint, method, status, responseMs, bytes, message];
}

function unpackUsage({ length, texts, numbers }: UsageColumns): Values[] {
  return Array.from({ length }, (_, row): Values => {
    const i = row * USAGE_WIDTH;
    const text = (offset: number) => texts[numbers[i + offset]!];
    const [status, responseMs, bytes] = [numbers[i + 4]!, numbers[i + 5]!, numbers[i + 6]!];
    return [numbers[i]!, text(1)!, text(2)!, text(3)!, status, responseMs, bytes, text(7) ?? null];
  });
}

function toTable([ts, key_id, endpoint, method, status, response_ms, bytes, message]: Values): UsageTable {
  return { ts, key_id, endpoint, method, status, response_ms, bytes, message };
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
