// State shared by the steps of one paid call.

import { createHash } from 'node:crypto';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { PaymentRecord, PaymentState, PaymentStore } from '../../store/ports.ts';
import type { PaidRoute } from '../payment-gate.ts';
import type { AuthorizationReader } from '../reconciling/authorization-reader.ts';
import { nextVersion } from '../reconciling/reconcile.ts';
import type { FacilitatorClient, FacilitatorRequest } from './facilitator-client.ts';
import type { SentPayment } from './parse-payment.ts';
import type { PaymentTerms } from './payment-terms.ts';

export interface GateContext {
  terms: PaymentTerms;
  payments: PaymentStore;
  clock: Clock;
  logger: Logger;
  facilitator: FacilitatorClient;
  reader: AuthorizationReader;
  /** Settlements in progress. */
  inHand: Set<Promise<unknown>>;
  /** Charged payments of this process, until it is recorded whether their response was sent. */
  sending: Set<string>;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
}

export interface PaymentCall {
  /** As this call last read or wrote it; `updatedTs` is its version. */
  row: PaymentRecord;
  /** Version of the last write that was tried, whether or not it took effect. */
  triedTs?: number;
  payment: SentPayment;
  route: PaidRoute;
  request: FacilitatorRequest;
}

/** Year 9999, so that authorisations without an end fit in every store. */
const MAX_VALID_BEFORE = 253_402_300_799n;

export function createCall(
  context: GateContext,
  payment: SentPayment,
  route: PaidRoute,
  request: FacilitatorRequest,
): PaymentCall {
  const { from, to, value, validBefore, nonce } = payment.authorization;
  const key = toPaymentKey(context.terms.network, context.terms.asset, from, nonce);
  const nowTs = context.clock.now();
  const row: PaymentRecord = {
    ...key,
    paymentId: toPaymentId(key),
    payTo: to.toLowerCase(),
    amount: value,
    route: `${route.method} ${route.pattern}`,
    state: 'reserved',
    transaction: null,
    reason: null,
    validBefore: Number(BigInt(validBefore) > MAX_VALID_BEFORE ? MAX_VALID_BEFORE : BigInt(validBefore)),
    payload: JSON.stringify(request),
    createdTs: nowTs,
    updatedTs: nowTs,
  };
  return { row, payment, route, request };
}

/**
 * Changes the row only if it is still as this call knows it: a write that a failing store applies late must not undo
 * what others decided since.
 */
export async function move(
  { payments, clock }: GateContext,
  call: PaymentCall,
  to: PaymentState,
  change: { transaction?: string | null; reason?: string | null } = {},
): Promise<boolean> {
  const { paymentId, state, updatedTs: ifUpdatedTs } = call.row;
  const updatedTs = nextVersion(call.row, clock);
  call.triedTs = updatedTs;
  if (!(await payments.transition(paymentId, [state], to, { ...change, updatedTs, ifUpdatedTs })))
    return false;
  call.row = { ...call.row, ...change, state: to, updatedTs };
  return true;
}

/** Makes a graceful stop wait for the settlement. */
export function track<T>(context: GateContext, work: Promise<T>): Promise<T> {
  context.inHand.add(work);
  const done = () => context.inHand.delete(work);
  work.then(done, done);
  return work;
}

// Derives the payment id from the authorisation: the same four values have the same id in every header
// format.

interface PaymentKey {
  network: string;
  asset: string;
  payer: string;
  nonce: string;
}

function toPaymentKey(network: string, asset: string, payer: string, nonce: string): PaymentKey {
  return {
    network,
    asset: asset.toLowerCase(),
    payer: payer.toLowerCase(),
    nonce: nonce.toLowerCase(),
  };
}

function toPaymentId(key: PaymentKey): string {
  const digest = createHash('sha256')
    .update(`${key.network} ${key.asset} ${key.payer} ${key.nonce}`)
    .digest('hex');
  return `pay_${digest.slice(0, 32)}`;
}
