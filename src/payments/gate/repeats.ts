// Handles a payment that was sent before: it may be in use, used up, undecided, or have a response pending. A
// caller that lost the response must not pay twice, and no payment buys two responses.

import type { PaymentRecord } from '../../store/ports.ts';
import type { PaymentAttempt, PaymentRejection } from '../payment-gate.ts';
import { decidePayment, isAnswerPending } from '../reconciling/reconcile.ts';
import { IN_USE_DETAIL, refuse, UNDECIDED_DETAIL, unavailable } from './payment-answers.ts';
import { type GateContext, move, type PaymentCall, track } from './payment-call.ts';
import { recordSettled, settleHeld } from './settle.ts';

type Answer = PaymentAttempt | PaymentRejection;

export async function answerRepeat(context: GateContext, call: PaymentCall): Promise<Answer> {
  const { paymentId } = call.row;
  if (context.sending.has(paymentId)) return unavailable(UNDECIDED_DETAIL);
  let row = await context.payments.find(paymentId);
  if (row?.state === 'undecided') {
    const decision = await decidePayment(row, context).catch(() => 'unknown' as const);
    if (decision === 'unknown') return unavailable(UNDECIDED_DETAIL);
    if (decision === 'open') return resume(context, { ...call, row });
    row = await context.payments.find(paymentId);
  }
  if (row) call.row = row;
  if (isAnswerPending(row)) return claimPending(context, call);
  const isOver = row?.state === 'settled' || row?.state === 'failed';
  if (isOver) return refuse(context.terms, call.route, 'payment already used');
  // A caller that has been or may soon be charged must not get payment terms again.
  return unavailable(row?.state === 'settling' ? UNDECIDED_DETAIL : IN_USE_DETAIL);
}

/** The payer may have been charged without getting a response, so these rows never expire. */
export function mayBePending(row: PaymentRecord | undefined): boolean {
  return row?.state === 'settling' || row?.state === 'undecided' || isAnswerPending(row);
}

/**
 * The payment is not settled yet, so the call and its settlement are repeated. If the earlier settlement
 * still goes through, the chain accepts only one of the two, and either one pays for this response.
 */
async function resume(context: GateContext, call: PaymentCall): Promise<Answer> {
  if (!(await move(context, call, 'settling'))) return unavailable(IN_USE_DETAIL);
  return {
    kind: 'attempt',
    paymentId: call.row.paymentId,
    payer: call.payment.authorization.from,
    settle: () => track(context, settleHeld(context, call, true)),
    release: async () => void (await move(context, call, 'undecided')),
  };
}

/** The version acts as the lock: only one call can move the row as it was read. */
async function claimPending(context: GateContext, call: PaymentCall): Promise<Answer> {
  if (!(await move(context, call, 'settling'))) return unavailable(IN_USE_DETAIL);
  const { paymentId, transaction } = call.row;
  return {
    kind: 'attempt',
    paymentId,
    payer: call.payment.authorization.from,
    settle: () => track(context, recordSettled(context, call, transaction ?? '')),
    release: async () => void (await move(context, call, 'settled')),
  };
}
