// Rules under test, their paper bets, and what speed was worth in each event.

import type { EntryDraft } from '../../sealing/entry.ts';
import type { Connection } from '../engine.ts';
import type { RowOf } from '../record-table.ts';
import {
  SPEED_WORTHS,
  type SpeedWorthRecord,
  TRIAL_BETS,
  TRIALS,
  type TrialBetRecord,
  type TrialRecord,
} from '../tables-results.ts';
import { batchesOf } from './many-rows.ts';
import { appendEntries } from './seals.ts';

type BetRow = RowOf<typeof TRIAL_BETS.columns>;

const BET_COLUMN_COUNT = Object.keys(TRIAL_BETS.columns).length;

export function createTrialQueries(connection: Connection) {
  const { db } = connection;
  return {
    /** The first registration of a hash counts; later ones change nothing. */
    async register(trial: TrialRecord, log: readonly EntryDraft[] = []) {
      const added = await db
        .insertInto('trials')
        .values(TRIALS.toRow(trial))
        .onConflict((conflict) => conflict.doNothing())
        .returning('hash')
        .executeTakeFirst();
      if (added) await appendEntries(connection, log);
    },

    /** Oldest first. */
    async list() {
      const rows = await db
        .selectFrom('trials')
        .selectAll()
        .orderBy('registered_ts')
        .orderBy('hash')
        .execute();
      return rows.map(TRIALS.fromRow);
    },

    async setStatus(hash: string, status: TrialRecord['status'], decidedTs: number | null) {
      await db
        .updateTable('trials')
        .set({ status, decided_ts: decidedTs })
        .where('hash', '=', hash)
        .execute();
    },

    /** Stores and logs the first bet per rule, event, bucket and slot; `log` has one draft each, or none. */
    async recordBets(bets: readonly TrialBetRecord[], log: readonly EntryDraft[] = []) {
      const inserted = new Set<string>();
      for (const batch of batchesOf(bets, BET_COLUMN_COUNT)) {
        const rows = await db
          .insertInto('trial_bets')
          .values(batch.map(TRIAL_BETS.toRow))
          .onConflict((conflict) => conflict.doNothing())
          .returning(['rule_hash', 'event_id', 'bucket_label', 'slot'])
          .execute();
        for (const row of rows) inserted.add(keyOf(row));
      }
      await appendEntries(
        connection,
        log.filter((_, i) => inserted.has(keyOf(TRIAL_BETS.toRow(bets[i]!)))),
      );
    },

    async settleBets(bets: readonly TrialBetRecord[]) {
      for (const { rule_hash, event_id, bucket_label, slot, won, pnl, settled_ts } of bets.map(
        TRIAL_BETS.toRow,
      )) {
        await db
          .updateTable('trial_bets')
          .set({ won, pnl, settled_ts })
          .where('rule_hash', '=', rule_hash)
          .where('event_id', '=', event_id)
          .where('bucket_label', '=', bucket_label)
          .where('slot', '=', slot)
          .execute();
      }
    },

    /** By event and time. */
    async listBets({ eventId }: { eventId?: number } = {}) {
      let query = db.selectFrom('trial_bets').selectAll();
      if (eventId !== undefined) query = query.where('event_id', '=', eventId);
      const rows = await query
        .orderBy('end_ts')
        .orderBy('event_id')
        .orderBy('asof_ts')
        .orderBy('rule_hash')
        .orderBy('slot')
        .orderBy('bucket_label')
        .execute();
      return rows.map(TRIAL_BETS.fromRow);
    },

    /** Measuring an event again replaces its row. */
    async putSpeedWorth(worth: SpeedWorthRecord) {
      const row = SPEED_WORTHS.toRow(worth);
      await db
        .insertInto('speed_worths')
        .values(row)
        .onConflict((conflict) => conflict.column('event_id').doUpdateSet(row))
        .execute();
    },

    async listSpeedWorths() {
      const rows = await db.selectFrom('speed_worths').selectAll().orderBy('event_id').execute();
      return rows.map(SPEED_WORTHS.fromRow);
    },
  };
}

function keyOf(row: Pick<BetRow, 'rule_hash' | 'event_id' | 'bucket_label' | 'slot'>): string {
  return JSON.stringify([row.rule_hash, row.event_id, row.bucket_label, row.slot]);
}
