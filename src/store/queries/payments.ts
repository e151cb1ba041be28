// Payments and their states. A unique key per authorisation prevents double use.

import type { Connection } from '../engine.ts';
import { PAYMENTS, type PaymentRecord, type PaymentState } from '../tables-callers.ts';

export interface PaymentChange {
  transaction?: string | null | undefined;
  reason?: string | null;
  updatedTs: number;
  /** Applies only if the row has not been written since it was read. */
  ifUpdatedTs?: number;
}

export function createPaymentQueries({ db }: Connection) {
  return {
    /**
     * Atomic per (network, asset, payer, nonce). Returns false if another call holds or has used the payment; a
     * released payment can be reserved again.
     */
    async reserve(payment: PaymentRecord) {
      const row = toRow(payment);
      const taken = await db
        .insertInto('payments')
        .values(row)
        .onConflict((conflict) =>
          conflict.column('nonce_key').doUpdateSet(row).where('payments.state', '=', 'released'),
        )
        .returning('payment_id')
        .executeTakeFirst();
      return taken !== undefined;
    },

    /** Changes the state only if the current one is in `from`; returns false otherwise. */
    async transition(
      paymentId: string,
      from: readonly PaymentState[],
      to: PaymentState,
      change: PaymentChange,
    ) {
      if (from.length === 0) return false;
      let update = db
        .updateTable('payments')
        .set({
          state: to,
          updated_ts: change.updatedTs,
          ...(change.transaction === undefined ? {} : { transaction_hash: change.transaction }),
          ...(change.reason === undefined ? {} : { reason: change.reason }),
        })
        .where('payment_id', '=', paymentId)
        .where('state', 'in', from);
      if (change.ifUpdatedTs !== undefined) update = update.where('updated_ts', '=', change.ifUpdatedTs);
      const moved = await update.executeTakeFirst();
      return moved.numUpdatedRows > 0n;
    },

    async find(paymentId: string) {
      const row = await db
        .selectFrom('payments')
        .selectAll()
        .where('payment_id', '=', paymentId)
        .executeTakeFirst();
      return row && PAYMENTS.fromRow(row);
    },

    /** Of any age by default: after several changes in a millisecond, `updatedTs` is ahead of the clock. */
    async listByState(states: readonly PaymentState[], updatedBeforeTs = Number.MAX_SAFE_INTEGER) {
      if (states.length === 0) return [];
      const rows = await db
        .selectFrom('payments')
        .selectAll()
        .where('state', 'in', states)
        .where('updated_ts', '<', updatedBeforeTs)
        .orderBy('updated_ts')
        .orderBy('payment_id')
        .execute();
      return rows.map(PAYMENTS.fromRow);
    },

    async list({ limit, offset }: { limit: number; offset: number }) {
      const rows = await db
        .selectFrom('payments')
        .selectAll()
        .orderBy('created_ts', 'desc')
        .orderBy('payment_id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(PAYMENTS.fromRow);
    },

    /** Deletes payments released before ts: nothing was charged, and the payment may return as a new one. */
    async prune(beforeTs: number) {
      const deleted = await db
        .deleteFrom('payments')
        .where('state', '=', 'released')
        .where('updated_ts', '<', beforeTs)
        .executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },

    // Amounts have up to 78 digits, so they are added here, after SQL has grouped them into a few rows.
    async totals() {
      const rows = await db
        .selectFrom('payments')
        .select((eb) => ['state', 'amount', eb.fn.countAll<number>().as('count')])
        .groupBy(['state', 'amount'])
        .orderBy('state')
        .execute();
      const totals = new Map<PaymentState, { count: number; amount: bigint }>();
      for (const { state, amount, count } of rows) {
        const total = totals.get(state) ?? { count: 0, amount: 0n };
        totals.set(state, {
          count: total.count + count,
          amount: total.amount + BigInt(amount) * BigInt(count),
        });
      }
      return [...totals].map(([state, { count, amount }]) => ({
        state,
        count,
        amount: amount.toString(),
      }));
    },
  };
}

function toRow(payment: PaymentRecord) {
  const { network, asset, payer, nonce } = payment;
  const nonce_key = [network, asset, payer, nonce].join(' ').toLowerCase();
  return { ...PAYMENTS.toRow(payment), nonce_key };
}
