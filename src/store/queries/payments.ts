// Payments and their states. A unique key per authorisation prevents double use.

import type { Connection } from '../engine.ts';
import { PAYMENTS, type PaymentRecord, type PaymentState } from '../tables-callers.ts';

export interface PaymentChange {
  transaction: string | null;
  reason: string | null;
  updatedTs: number;
}

const COLUMNS = Object.keys(PAYMENTS.sqlTypes) as (keyof typeof PAYMENTS.sqlTypes)[];

export function createPaymentQueries({ db }: Connection) {
  return {
    /** Atomic per (network, asset, payer, nonce): false if the authorisation is already there. */
    async insert(payment: PaymentRecord, response: string) {
      const { network, asset, payer, nonce } = payment;
      const nonce_key = [network, asset, payer, nonce].join(' ').toLowerCase();
      const inserted = await db
        .insertInto('payments')
        .values({ ...PAYMENTS.toRow(payment), nonce_key, response })
        .onConflict((conflict) => conflict.doNothing())
        .returning('payment_id')
        .executeTakeFirst();
      return inserted !== undefined;
    },

    /** Changes the state only if the current one is in `from`; returns false otherwise. */
    async transition(
      paymentId: string,
      from: readonly PaymentState[],
      to: PaymentState,
      { transaction, reason, updatedTs }: PaymentChange,
    ) {
      const moved = await db
        .updateTable('payments')
        .set({ state: to, transaction_hash: transaction, reason, updated_ts: updatedTs })
        .where('payment_id', '=', paymentId)
        .where('state', 'in', from)
        .executeTakeFirst();
      return moved.numUpdatedRows > 0n;
    },

    async find(paymentId: string) {
      const row = await db
        .selectFrom('payments')
        .select(COLUMNS)
        .where('payment_id', '=', paymentId)
        .executeTakeFirst();
      return row && PAYMENTS.fromRow(row);
    },

    /** null if it is no longer kept. */
    async findResponse(paymentId: string) {
      const row = await db
        .selectFrom('payments')
        .select('response')
        .where('payment_id', '=', paymentId)
        .executeTakeFirst();
      return row?.response ?? null;
    },

    async listByState(states: readonly PaymentState[]) {
      const rows = await db
        .selectFrom('payments')
        .select(COLUMNS)
        .where('state', 'in', states)
        .orderBy('updated_ts')
        .orderBy('payment_id')
        .execute();
      return rows.map(PAYMENTS.fromRow);
    },

    async list({ limit, offset }: { limit: number; offset: number }) {
      const rows = await db
        .selectFrom('payments')
        .select(COLUMNS)
        .orderBy('created_ts', 'desc')
        .orderBy('payment_id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(PAYMENTS.fromRow);
    },

    /** Forgets the responses of payments decided before ts; the payments stay. */
    async prune(beforeTs: number) {
      const updated = await db
        .updateTable('payments')
        .set({ response: null })
        .where('state', '!=', 'settling')
        .where('updated_ts', '<', beforeTs)
        .where('response', 'is not', null)
        .executeTakeFirst();
      return Number(updated.numUpdatedRows);
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
      return [...totals].map(([state, { count, amount }]) => ({ state, count, amount: amount.toString() }));
    },
  };
}
