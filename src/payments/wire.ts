// A payment row as the payments command prints and exports it. Omits the payload, which contains a signature.

import type { PaymentRecord } from '../store/ports.ts';

export interface PaymentRow {
  payment_id: string;
  time: string;
  state: string;
  amount: string;
  payer: string;
  route: string;
  transaction: string | null;
  reason: string | null;
  network: string;
  asset: string;
  pay_to: string;
  nonce: string;
  valid_before: number;
  created_ts: number;
  updated_ts: number;
}

export function toPaymentRow(record: PaymentRecord): PaymentRow {
  return {
    payment_id: record.paymentId,
    time: new Date(record.createdTs).toISOString(),
    state: record.state,
    amount: record.amount,
    payer: record.payer,
    route: record.route,
    transaction: record.transaction,
    reason: record.reason,
    network: record.network,
    asset: record.asset,
    pay_to: record.payTo,
    nonce: record.nonce,
    valid_before: record.validBefore,
    created_ts: record.createdTs,
    updated_ts: record.updatedTs,
  };
}

export function toCsv(rows: readonly PaymentRow[], columns: readonly (keyof PaymentRow)[]): string {
  const lines = rows.map((row) => columns.map((column) => quote(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\n');
}

/** A leading = + - or @ would start a spreadsheet formula. */
function quote(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
