// Responses of the gate: refusals with new terms, temporary failures, and receipts.

import { encodePaymentResponseHeader } from '@x402/core/http';
import type { Network } from '@x402/core/types';
import type { PaymentRecord } from '../store/ports.ts';
import type { SentPayment } from './parse-payment.ts';
import type { PaidRequest, PaymentRejection } from './payment-gate.ts';
import type { PaymentTerms } from './terms.ts';

const RETRY_AFTER_S = 5;
export const UNSETTLED =
  "This payment's settlement is pending. Do not pay again: retry with the same payment.";

export function unreadable(reason: string): PaymentRejection {
  return { kind: 'rejection', status: 400, headers: {}, body: { detail: `Unreadable payment: ${reason}` } };
}

export function refuse(terms: PaymentTerms, request: PaidRequest, reason: string): PaymentRejection {
  return { kind: 'rejection', status: 402, ...terms.challenge(request, `Payment not accepted: ${reason}`) };
}

export function unavailable(detail: string): PaymentRejection {
  const headers = { 'retry-after': String(RETRY_AFTER_S) };
  return { kind: 'rejection', status: 503, headers, body: { detail } };
}

export function notSettled(
  terms: PaymentTerms,
  payment: SentPayment,
  request: PaidRequest,
  row: PaymentRecord,
): PaymentRejection {
  const { headers, body } = terms.challenge(request, `Payment not settled: ${row.reason}`);
  return { kind: 'rejection', status: 402, headers: { ...receipt(terms, payment, row), ...headers }, body };
}

/** In both header names, for clients of either version, with the network name of the payment's version. */
export function receipt(
  { networkV1 }: PaymentTerms,
  { version, authorization }: SentPayment,
  { state, transaction, reason, network, amount }: PaymentRecord,
): Record<string, string> {
  const encoded = encodePaymentResponseHeader({
    success: state === 'settled',
    transaction: transaction ?? '',
    network: ((version === 1 ? networkV1 : null) ?? network) as Network,
    payer: authorization.from,
    ...(version === 2 && { amount }),
    ...(state === 'failed' && reason !== null && { errorReason: reason }),
  });
  return { 'payment-response': encoded, 'x-payment-response': encoded };
}
