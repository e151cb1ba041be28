// What the gate says to a caller: refusals with a fresh challenge, "not now", and receipts.

import { encodePaymentResponseHeader } from '@x402/core/http';
import type { Network, SettleResponse } from '@x402/core/types';
import type { PaymentRecord } from '../../../store/ports.ts';
import type { PaidRoute, PaymentRejection, SettleOutcome } from '../payment-gate.ts';
import type { SentPayment } from './parse-payment.ts';
import type { PaymentTerms } from './payment-terms.ts';

const RETRY_AFTER_S = 5;

export function refuse(terms: PaymentTerms, route: PaidRoute, reason: string): PaymentRejection {
  return {
    kind: 'rejection',
    status: 402,
    ...terms.challenge(route, `Payment not accepted: ${reason}`),
  };
}

export function unavailable(detail: string): PaymentRejection {
  return {
    kind: 'rejection',
    status: 503,
    headers: { 'retry-after': String(RETRY_AFTER_S) },
    body: { detail },
  };
}

export function notSettled(detail: string): SettleOutcome {
  return { ok: false, status: 503, headers: { 'retry-after': String(RETRY_AFTER_S) }, body: { detail } };
}

export function settlementRefused(
  terms: PaymentTerms,
  row: PaymentRecord,
  payment: SentPayment,
  route: PaidRoute,
  reason: string,
) {
  const challenge = terms.challenge(route, `Payment not settled: ${reason}`);
  const failure = receipt(terms, row, payment, { success: false, transaction: '', errorReason: reason });
  return {
    status: 402 as const,
    headers: { ...challenge.headers, ...failure, 'cache-control': 'no-store' },
    body: challenge.body,
  };
}

export function receipt(
  terms: PaymentTerms,
  row: PaymentRecord,
  payment: SentPayment,
  outcome: { success: boolean; transaction: string; errorReason?: string },
): Record<string, string> {
  const network = payment.version === 1 ? (terms.networkV1 ?? row.network) : row.network;
  const response: SettleResponse = {
    ...outcome,
    network: network as Network,
    payer: payment.authorization.from,
  };
  const encoded = encodePaymentResponseHeader(
    payment.version === 1 ? response : { ...response, amount: row.amount },
  );
  return { 'payment-response': encoded, 'x-payment-response': encoded, 'cache-control': 'private' };
}
