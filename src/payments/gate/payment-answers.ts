// Gate responses: refusals with a new challenge, temporary failures, and receipts.

import { encodePaymentResponseHeader } from '@x402/core/http';
import type { Network, SettleResponse } from '@x402/core/types';
import type { PaidRoute, PaymentRejection, SettleOutcome } from '../payment-gate.ts';
import type { PaymentCall } from './payment-call.ts';
import type { PaymentTerms } from './payment-terms.ts';

const RETRY_AFTER_S = 5;
export const UNDECIDED_DETAIL =
  "This payment's settlement is pending. Do not pay again: retry with the same payment.";
export const IN_USE_DETAIL =
  'This payment is in use by another call. Do not pay again: retry with the same payment.';

export function unreadable(reason: string): PaymentRejection {
  return { kind: 'rejection', status: 400, headers: {}, body: { detail: `Unreadable payment: ${reason}` } };
}

export function refuse(terms: PaymentTerms, route: PaidRoute, reason: string): PaymentRejection {
  return { kind: 'rejection', status: 402, ...terms.challenge(route, `Payment not accepted: ${reason}`) };
}

export function unavailable(detail: string): PaymentRejection {
  return { kind: 'rejection', status: 503, ...retryLater(detail) };
}

export function notSettled(detail: string): SettleOutcome {
  return { ok: false, status: 503, ...retryLater(detail) };
}

function retryLater(detail: string) {
  return { headers: { 'retry-after': String(RETRY_AFTER_S) }, body: { detail } };
}

export function settlementRefused(terms: PaymentTerms, call: PaymentCall, reason: string) {
  const challenge = terms.challenge(call.route, `Payment not settled: ${reason}`);
  const failure = receipt(terms, call, { success: false, transaction: '', errorReason: reason });
  return { status: 402 as const, headers: { ...failure, ...challenge.headers }, body: challenge.body };
}

/** Sends both header names, for clients of either version, and the network name of the payment's version. */
export function receipt(
  terms: PaymentTerms,
  { row, payment }: PaymentCall,
  outcome: { success: boolean; transaction: string; errorReason?: string },
): Record<string, string> {
  const isV1 = payment.version === 1;
  const network = (isV1 ? terms.networkV1 : null) ?? row.network;
  const response: SettleResponse = {
    ...outcome,
    network: network as Network,
    payer: payment.authorization.from,
    ...(isV1 ? {} : { amount: row.amount }),
  };
  const encoded = encodePaymentResponseHeader(response);
  return { 'payment-response': encoded, 'x-payment-response': encoded };
}
