// Settles a verified payment. Once settlement starts, only the facilitator's confirmation or the chain
// decides the outcome; until then the payment stays undecided, and undecided payments are never discarded.

import { sleep } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { SettleOutcome } from '../payment-gate.ts';
import { ANSWER_PENDING } from '../reconciling/reconcile.ts';
import {
  IN_USE_DETAIL,
  notSettled,
  receipt,
  settlementRefused,
  UNDECIDED_DETAIL,
} from './payment-answers.ts';
import { type GateContext, move, type PaymentCall, track } from './payment-call.ts';

const OWE_RETRY_MS = 1_000;

export async function settle(
  context: GateContext,
  call: PaymentCall,
  signal?: AbortSignal,
): Promise<SettleOutcome> {
  if (!(await move(context, call, 'settling'))) {
    return notSettled('The payment was released; nothing was charged. Retry with the same payment.');
  }
  return settleHeld(context, call, signal);
}

/** The row is in `settling` and held by this call. `isRepeat`: an earlier attempt may still settle. */
export async function settleHeld(
  context: GateContext,
  call: PaymentCall,
  signal?: AbortSignal,
  isRepeat = false,
): Promise<SettleOutcome> {
  const answer = await context.facilitator.settle(call.request);
  if (answer.kind === 'settled') return recordSettled(context, call, answer.transaction, signal);
  if (answer.kind === 'open') return recordUndecided(context, call, answer.problem, answer.transaction);
  const { row } = call;
  const use = await context.reader.read({ ...row, sinceTs: row.createdTs }).catch(() => null);
  if (use === null) return recordUndecided(context, call, answer.reason, null);
  // Refused because an earlier attempt with the same payment went through.
  if (use.kind === 'used') return recordSettled(context, call, use.transaction ?? '', signal);
  if (isRepeat && use.kind === 'unused') return recordUndecided(context, call, answer.reason, null);
  if (!(await move(context, call, 'failed', { reason: answer.reason }))) return notSettled(UNDECIDED_DETAIL);
  return { ok: false, ...settlementRefused(context.terms, call, answer.reason) };
}

/**
 * The money has moved. The response is sent only after that is recorded, so that no payment buys two. If the
 * caller disconnected or the store failed, the response stays pending and the same payment retrieves it.
 */
export async function recordSettled(
  context: GateContext,
  call: PaymentCall,
  transaction: string,
  signal?: AbortSignal,
): Promise<SettleOutcome> {
  const { paymentId } = call.row;
  const isGone = signal?.aborted === true;
  context.unsent.add(paymentId);
  try {
    const isOurs = await claimAnswer(context, call, transaction, isGone);
    // A caller that disconnected during the write got no response either.
    if (isOurs && !isGone && signal?.aborted)
      void track(context, oweWhenPossible(context, call, transaction));
    else context.unsent.delete(paymentId);
    if (!isOurs) return notSettled(IN_USE_DETAIL);
  } catch (error) {
    context.logger.error(
      { paymentId, transaction, reason: errorMessage(error) },
      'settled payment not recorded',
    );
    void track(context, oweWhenPossible(context, call, transaction));
    return notSettled(UNDECIDED_DETAIL);
  }
  if (signal?.aborted)
    context.logger.warn({ paymentId, transaction }, 'payment settled after the caller disconnected');
  return { ok: true, headers: receipt(context.terms, call, { success: true, transaction }) };
}

/**
 * True if the row now says that this call's response is the one that was paid for. The reconciling job may have decided
 * the row while the facilitator was slow; another call may have taken it, and then that one responds.
 */
async function claimAnswer(
  context: GateContext,
  call: PaymentCall,
  transaction: string,
  isPending: boolean,
): Promise<boolean> {
  const change = { transaction: transaction || null, reason: isPending ? ANSWER_PENDING : null };
  if (await move(context, call, 'settled', change)) return true;
  const row = await context.payments.find(call.row.paymentId);
  const isUnclaimed =
    row?.state === 'undecided' || (row?.state === 'settled' && row.reason === ANSWER_PENDING);
  if (!isUnclaimed) return false;
  call.row = row;
  return move(context, call, 'settled', change);
}

/**
 * Marks the response as pending. A write that failed may still have taken effect and wrongly say delivered. Until this is
 * known, the same payment gets neither a response nor a refusal.
 */
async function oweWhenPossible(context: GateContext, call: PaymentCall, transaction: string): Promise<void> {
  const { clock, stopping, unsent } = context;
  const { paymentId } = call.row;
  while (!stopping.aborted) {
    const isKnown = await owe(context, call, transaction).catch(() => false);
    if (isKnown) break;
    await sleep(clock, OWE_RETRY_MS, stopping);
  }
  unsent.delete(paymentId);
}

async function owe(context: GateContext, call: PaymentCall, transaction: string): Promise<true> {
  const { updatedTs: knownTs, paymentId } = call.row;
  const row = await context.payments.find(paymentId);
  const isUntouched = row?.state === 'settling' && row.updatedTs === knownTs;
  const saysDelivered = row?.state === 'settled' && row.reason === null && row.updatedTs === call.triedTs;
  const change = { transaction: transaction || null, reason: ANSWER_PENDING };
  if (isUntouched || saysDelivered) await move(context, { ...call, row }, 'settled', change);
  return true;
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
