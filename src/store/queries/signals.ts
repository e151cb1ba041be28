// Signals at the scored horizons, and their results.

import type { AccountId } from '../../domain/account.ts';
import type { EntryDraft } from '../../sealing/entry.ts';
import type { Connection } from '../engine.ts';
import type { RowOf } from '../record-table.ts';
import { SIGNALS, type SignalRecord } from '../tables-results.ts';
import { batchesOf } from './many-rows.ts';
import { appendEntries } from './seals.ts';

type SignalRow = RowOf<typeof SIGNALS.columns>;

const COLUMN_COUNT = Object.keys(SIGNALS.columns).length;

export function createSignalQueries(connection: Connection) {
  const { db } = connection;

  async function settleOne(signal: SignalRecord): Promise<void> {
    const row = SIGNALS.toRow(signal);
    const { won, pnl_usd, closing_line_value, settled_ts } = row;
    await db
      .updateTable('signals')
      .set({ won, pnl_usd, closing_line_value, settled_ts })
      .where('event_id', '=', row.event_id)
      .where('horizon_h', '=', row.horizon_h)
      .where('bucket_label', '=', row.bucket_label)
      .where('strategy', '=', row.strategy)
      .execute();
  }

  return {
    /** Stores and logs the first write per event, horizon, bucket and strategy; `log` has one draft each. */
    async record(signals: readonly SignalRecord[], log: readonly EntryDraft[] = []) {
      const inserted = new Set<string>();
      for (const batch of batchesOf(signals, COLUMN_COUNT)) {
        const rows = await db
          .insertInto('signals')
          .values(batch.map(SIGNALS.toRow))
          .onConflict((conflict) => conflict.doNothing())
          .returning(['event_id', 'horizon_h', 'bucket_label', 'strategy'])
          .execute();
        for (const row of rows) inserted.add(keyOf(row));
      }
      const isNew = (_: unknown, i: number) => inserted.has(keyOf(SIGNALS.toRow(signals[i]!)));
      await appendEntries(connection, log.filter(isNew));
    },

    async settle(signals: readonly SignalRecord[]) {
      for (const signal of signals) await settleOne(signal);
    },

    async list({
      accountId,
      eventId,
      settledOnly,
    }: {
      accountId?: AccountId | undefined;
      eventId?: number;
      settledOnly?: boolean;
    }) {
      let query = db.selectFrom('signals').selectAll();
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      if (eventId !== undefined) query = query.where('event_id', '=', eventId);
      if (settledOnly) query = query.where('settled_ts', 'is not', null);
      const rows = await query
        .orderBy('asof_ts')
        .orderBy('event_id')
        .orderBy('horizon_h')
        .orderBy('bucket_label')
        .orderBy('strategy')
        .execute();
      return rows.map(SIGNALS.fromRow);
    },
  };
}

function keyOf(row: Pick<SignalRow, 'event_id' | 'horizon_h' | 'bucket_label' | 'strategy'>): string {
  return JSON.stringify([row.event_id, row.horizon_h, row.bucket_label, row.strategy]);
}
