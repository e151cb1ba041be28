// Settlement of a verified payment. Once it has begun, only the facilitator's yes or the chain's own word ends it;
// silence leaves it undecided, and undecided payments are never given up by hand.

import { errorMessage } from '../../../../runtime/errors.ts';
import type { SettleOutcome } from '../../payment-gate.ts';
import { notSettled, receipt, settlementRefused, UNDECIDED_DETAIL } from './payment-answers.ts';
import { type GateContext, move, type PaymentCall } from './payment-call.ts';

export async function settle(context: GateContext, call: PaymentCall): Promise<SettleOutcome> {
  if (!(await move(context, call, ['verified'], 'settling'))) {
    return notSettled(
      'The payment was given up meanwhile; nothing was charged. Retry with the same payment.',
    );
  }
  return settleHeld(context, call);
}

/** The row is in settling, and this call holds it. */
export async function settleHeld(context: GateContext, call: PaymentCall): Promise<SettleOutcome> {
  const answer = await context.facilitator.settle(call.request);
  if (answer.kind === 'settled') return recordSettled(context, call, answer.transaction);
  if (answer.kind === 'open') return recordUndecided(context, call, answer.problem, answer.transaction);
  const { row } = call;
  const use = await context.reader.read({ ...row, sinceTs: row.createdTs }).catch(() => null);
  if (use === null) return recordUndecided(context, call, answer.reason, null);
  // Refused because an earlier attempt of the same payment went through.
  if (use.kind === 'used') return recordSettled(context, call, use.transaction ?? '');
  await move(context, call, ['settling'], 'failed', { reason: answer.reason });
  return { ok: false, ...settlementRefused(context.terms, call, answer.reason) };
}

/** The money has moved, so the answer is given even when this could not be written down; the job will. */
export async function recordSettled(
  context: GateContext,
  call: PaymentCall,
  transaction: string,
): Promise<SettleOutcome> {
  try {
    const change = { transaction: transaction || null, reason: null };
    await move(context, call, ['settling', 'undecided', 'settled'], 'settled', change);
  } catch (error) {
    const { paymentId } = call.row;
    context.logger.error({ paymentId, transaction, reason: errorMessage(error) }, 'settled, not recorded');
  }
  return { ok: true, headers: receipt(context.terms, call, { success: true, transaction }) };
}

async function recordUndecided(
  context: GateContext,
  call: PaymentCall,
  reason: string,
  transaction: string | null,
): Promise<SettleOutcome> {
  const { paymentId } = call.row;
  context.logger.warn({ paymentId, reason, transaction }, 'settlement undecided');
  try {
    await move(context, call, ['settling'], 'undecided', { reason, transaction });
  } catch (error) {
    context.logger.error({ paymentId, reason: errorMessage(error) }, 'undecided, not recorded');
  }
  return notSettled(UNDECIDED_DETAIL);
}
