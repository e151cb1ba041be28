// Payments and their states. A unique key per authorisation prevents double use.

import type { Connection } from '../engine.ts';
import type { PaymentsTable } from '../schema.ts';

export type PaymentState =
  | 'reserved'
  | 'verified'
  | 'settling'
  | 'settled'
  | 'released'
  | 'failed'
  | 'undecided';

export interface PaymentRecord {
  paymentId: string;
  network: string;
  asset: string;
  payer: string;
  nonce: string;
  payTo: string;
  /** In atomic units of the asset, as a decimal string. */
  amount: string;
  route: string;
  state: PaymentState;
  transaction: string | null;
  reason: string | null;
  /** Unix seconds after which the authorisation can no longer settle. */
  validBefore: number;
  /** Payload and requirements as JSON, for the reconciling job. */
  payload: string;
  createdTs: number;
  updatedTs: number;
}

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
      return row && fromRow(row);
    },

    async listByState(states: readonly PaymentState[], updatedBeforeTs: number) {
      if (states.length === 0) return [];
      const rows = await db
        .selectFrom('payments')
        .selectAll()
        .where('state', 'in', states)
        .where('updated_ts', '<', updatedBeforeTs)
        .orderBy('updated_ts')
        .orderBy('payment_id')
        .execute();
      return rows.map(fromRow);
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
      return rows.map(fromRow);
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
      const totals = new Map<string, { count: number; amount: bigint }>();
      for (const { state, amount, count } of rows) {
        const total = totals.get(state) ?? { count: 0, amount: 0n };
        totals.set(state, {
          count: total.count + count,
          amount: total.amount + BigInt(amount) * BigInt(count),
        });
      }
      return [...totals].map(([state, { count, amount }]) => ({
        state: state as PaymentState,
        count,
        amount: amount.toString(),
      }));
    },
  };
}

function toRow(payment: PaymentRecord): PaymentsTable {
  return {
    payment_id: payment.paymentId,
    nonce_key: [payment.network, payment.asset, payment.payer, payment.nonce].join(' ').toLowerCase(),
    network: payment.network,
    asset: payment.asset,
    payer: payment.payer,
    nonce: payment.nonce,
    pay_to: payment.payTo,
    amount: payment.amount,
    route: payment.route,
    state: payment.state,
    transaction_hash: payment.transaction,
    reason: payment.reason,
    valid_before: payment.validBefore,
    payload: payment.payload,
    created_ts: payment.createdTs,
    updated_ts: payment.updatedTs,
  };
}

function fromRow(row: PaymentsTable): PaymentRecord {
  return {
    paymentId: row.payment_id,
    network: row.network,
    asset: row.asset,
    payer: row.payer,
    nonce: row.nonce,
    payTo: row.pay_to,
    amount: row.amount,
    route: row.route,
    state: row.state as PaymentState,
    transaction: row.transaction_hash,
    reason: row.reason,
    validBefore: row.valid_before,
    payload: row.payload,
    createdTs: row.created_ts,
    updatedTs: row.updated_ts,
  };
}
