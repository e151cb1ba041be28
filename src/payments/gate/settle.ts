// Settles a verified payment. Once settlement starts, only the facilitator's confirmation or the chain
// decides the outcome; until then the payment stays undecided, and undecided payments are never discarded.

import { sleep } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { SettleOutcome } from '../payment-gate.ts';
import { ANSWER_PENDING, isAnswerPending } from '../reconciling/reconcile.ts';
import {
  IN_USE_DETAIL,
  notSettled,
  receipt,
  settlementRefused,
  UNDECIDED_DETAIL,
} from './payment-answers.ts';
import { type GateContext, move, type PaymentCall, track } from './payment-call.ts';

const CONCLUDE_RETRY_MS = 1_000;

export async function settle(context: GateContext, call: PaymentCall): Promise<SettleOutcome> {
  if (!(await move(context, call, 'settling'))) {
    return notSettled('The payment was released; nothing was charged. Retry with the same payment.');
  }
  return settleHeld(context, call);
}

/** The row is in `settling` and held by this call. `isRepeat`: an earlier attempt may still settle. */
export async function settleHeld(
  context: GateContext,
  call: PaymentCall,
  isRepeat = false,
): Promise<SettleOutcome> {
  const answer = await context.facilitator.settle(call.request);
  if (answer.kind === 'settled') return recordSettled(context, call, answer.transaction);
  if (answer.kind === 'open') return recordUndecided(context, call, answer.problem, answer.transaction);
  const { row } = call;
  const use = await context.reader.read({ ...row, sinceTs: row.createdTs }).catch(() => null);
  if (use === null) return recordUndecided(context, call, answer.reason, null);
  // Refused because an earlier attempt with the same payment went through.
  if (use.kind === 'used') return recordSettled(context, call, use.transaction ?? '');
  if (isRepeat && use.kind === 'unused') return recordUndecided(context, call, answer.reason, null);
  if (!(await move(context, call, 'failed', { reason: answer.reason }))) return notSettled(UNDECIDED_DETAIL);
  return { ok: false, ...settlementRefused(context.terms, call, answer.reason) };
}

/**
 * The money has moved. The row stays `settling`, held by this call, until the response is sent: no other call can use
 * the payment meanwhile, and after a crash the chain shows the charge, so the same payment retrieves the response.
 */
export async function recordSettled(
  context: GateContext,
  call: PaymentCall,
  transaction: string,
): Promise<SettleOutcome> {
  const { paymentId } = call.row;
  context.sending.add(paymentId);
  const conclude = (isSent: boolean) =>
    track(context, concludeWhenPossible(context, call, transaction, isSent));
  try {
    if (!(await claimAnswer(context, call, transaction))) {
      context.sending.delete(paymentId);
      return notSettled(IN_USE_DETAIL);
    }
  } catch (error) {
    context.logger.error(
      { paymentId, transaction, reason: errorMessage(error) },
      'settled payment not recorded',
    );
    void conclude(false);
    return notSettled(UNDECIDED_DETAIL);
  }
  return { ok: true, headers: receipt(context.terms, call, { success: true, transaction }), conclude };
}

/**
 * True if this call's response is the one that was paid for. The reconciling job may have decided the row while the
 * facilitator was slow; another call may have taken it, and then that one responds.
 */
async function claimAnswer(context: GateContext, call: PaymentCall, transaction: string): Promise<boolean> {
  const change = { transaction: transaction || null };
  if (await move(context, call, 'settling', change)) return true;
  const row = await context.payments.find(call.row.paymentId);
  if (row?.state !== 'undecided' && !isAnswerPending(row)) return false;
  call.row = row!;
  return move(context, call, 'settling', change);
}

/** Until it is recorded whether the response was sent, the same payment gets neither a response nor a refusal. */
async function concludeWhenPossible(
  context: GateContext,
  call: PaymentCall,
  transaction: string,
  isSent: boolean,
): Promise<void> {
  const { clock, stopping, sending, logger } = context;
  const { paymentId } = call.row;
  if (!isSent) logger.warn({ paymentId, transaction }, 'payment settled without a response');
  while (!(await conclude(context, call, transaction, isSent).catch(() => false)) && !stopping.aborted)
    await sleep(clock, CONCLUDE_RETRY_MS, stopping);
  sending.delete(paymentId);
}

/** True once the row says so, or another call has taken it. */
async function conclude(
  context: GateContext,
  call: PaymentCall,
  transaction: string,
  isSent: boolean,
): Promise<boolean> {
  const row = await context.payments.find(call.row.paymentId);
  const versions = [call.row.updatedTs, call.triedTs];
  const isHeld = row?.state === 'settling' && versions.includes(row.updatedTs);
  // The reconciling job may have decided it since.
  const isDecided = isSent && (row?.state === 'undecided' || isAnswerPending(row));
  if (!isHeld && !isDecided) return true;
  const change = { transaction: transaction || null, reason: isSent ? null : ANSWER_PENDING };
  return move(context, { ...call, row: row! }, 'settled', change);
}

async function recordUndecided(
  context: GateContext,
  call: PaymentCall,
  reason: string,
  transaction: string | null,
): Promise<SettleOutcome> {
  const { paymentId } = call.row;
  context.logger.warn({ paymentId, reason, transaction }, 'settlement outcome unknown');
  try {
    await move(context, call, 'undecided', { reason, transaction });
  } catch (error) {
    context.logger.error({ paymentId, reason: errorMessage(error) }, 'undecided payment not recorded');
  }
  return notSettled(UNDECIDED_DETAIL);
}
