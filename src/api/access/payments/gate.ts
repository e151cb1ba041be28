// The payment gate on x402: reserve, verify, let the handler answer, settle, hand out the receipt.
// Every state that a crash can leave behind is one that reconcile.ts knows how to end.

import type { Clock } from '../../../runtime/clock.ts';
import { errorMessage } from '../../../runtime/errors.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { PaymentRecord, PaymentStore } from '../../../store/ports.ts';
import type {
  PaidRoute,
  PaymentAttempt,
  PaymentGate,
  PaymentRejection,
  SettleOutcome,
} from '../payment-gate.ts';
import { type AuthorizationReader, createAuthorizationReader } from './authorization-reader.ts';
import {
  createFacilitatorClient,
  type FacilitatorClient,
  type FacilitatorRequest,
} from './facilitator-client.ts';
import { matchPayment } from './match-payment.ts';
import { parsePayment, type SentPayment } from './parse-payment.ts';
import { notSettled, receipt, refuse, settlementRefused, unavailable } from './payment-answers.ts';
import { findPaymentHeader } from './payment-header.ts';
import { toPaymentId, toPaymentKey } from './payment-key.ts';
import { type PaymentSettings, resolvePaymentSettings } from './payment-settings.ts';
import { createPaymentTerms, type PaymentTerms } from './payment-terms.ts';
import { ANSWER_OWED, decidePayment } from './reconcile.ts';
import { startReconciling } from './reconciling-job.ts';

const CHALLENGE_DETAIL = 'Payment required: send an x402 payment or an X-API-Key of the PRO tier';

export interface PaymentGateOptions {
  settings: PaymentSettings;
  payments: PaymentStore;
  /** Wall time: authorisations are judged by it. */
  clock: Clock;
  logger: Logger;
  facilitator?: FacilitatorClient;
  reader?: AuthorizationReader;
  /** False where another process reconciles. */
  reconciles?: boolean;
}

interface Context {
  terms: PaymentTerms;
  payments: PaymentStore;
  clock: Clock;
  logger: Logger;
  facilitator: FacilitatorClient;
  reader: AuthorizationReader;
  inHand: Set<Promise<unknown>>;
}

export function createPaymentGate(options: PaymentGateOptions): PaymentGate {
  const settings = resolvePaymentSettings(options.settings);
  const context: Context = {
    terms: createPaymentTerms(settings),
    payments: options.payments,
    clock: options.clock,
    logger: options.logger,
    facilitator: options.facilitator ?? createFacilitatorClient(settings),
    reader: options.reader ?? createAuthorizationReader(settings.network, settings.rpcUrl),
    inHand: new Set(),
  };
  const job = options.reconciles === false ? null : startReconciling(settings, context);

  return {
    challenge: (route, detail) => context.terms.challenge(route, detail ?? CHALLENGE_DETAIL),
    findPaymentHeader,
    begin: (header, route, signal) => begin(context, header, route, signal),
    totals: () => options.payments.totals(),
    async close() {
      await job?.stop();
      await Promise.allSettled(context.inHand);
    },
  };
}

async function begin(
  context: Context,
  header: string,
  route: PaidRoute,
  signal?: AbortSignal,
): Promise<PaymentAttempt | PaymentRejection> {
  const parsed = parsePayment(header);
  if (!parsed.ok)
    return {
      kind: 'rejection',
      status: 400,
      headers: {},
      body: { detail: `Unreadable payment: ${parsed.reason}` },
    };
  const matched = matchPayment(context.terms, parsed.payment, route, context.clock.now());
  if (!matched.ok) return refuse(context.terms, route, matched.reason);

  const row = toRow(context, parsed.payment, route, matched.request);
  if (!(await reserve(context, row))) return answerRepeat(context, row, parsed.payment, route);
  return verify(context, row, parsed.payment, route, matched.request, signal);
}

/** Two replicas that insert the same row at once may collide on its id instead of its nonce. */
async function reserve(context: Context, row: PaymentRecord): Promise<boolean> {
  try {
    return await context.payments.reserve(row);
  } catch (error) {
    const held = await context.payments.find(row.paymentId);
    if (!held || held.state === 'released') throw error;
    return false;
  }
}

async function verify(
  context: Context,
  row: PaymentRecord,
  payment: SentPayment,
  route: PaidRoute,
  request: FacilitatorRequest,
  signal?: AbortSignal,
): Promise<PaymentAttempt | PaymentRejection> {
  const release = (reason: string) => move(context, row, ['reserved', 'verified'], 'released', { reason });
  try {
    const answer = await context.facilitator.verify(request);
    if (answer.kind === 'invalid') {
      await release(answer.reason);
      return refuse(context.terms, route, answer.reason);
    }
    if (answer.kind === 'unreachable' || signal?.aborted) {
      const problem = answer.kind === 'unreachable' ? answer.problem : 'the caller went away';
      await release(problem);
      context.logger.warn({ paymentId: row.paymentId, reason: problem }, 'payment not verified');
      return unavailable(
        'Payments cannot be verified at the moment; nothing was charged. Retry with the same payment.',
      );
    }
    if (!(await move(context, row, ['reserved'], 'verified', {}))) {
      return unavailable(
        'The payment could not be taken up; nothing was charged. Retry with the same payment.',
      );
    }
  } catch (error) {
    await release(errorMessage(error)).catch(() => undefined);
    throw error;
  }
  return {
    kind: 'attempt',
    paymentId: row.paymentId,
    payer: payment.authorization.from,
    settle: () => track(context, settle(context, row, payment, route, request)),
    release: async (reason) => void (await release(reason)),
  };
}

async function settle(
  context: Context,
  row: PaymentRecord,
  payment: SentPayment,
  route: PaidRoute,
  request: FacilitatorRequest,
): Promise<SettleOutcome> {
  if (!(await move(context, row, ['verified'], 'settling', {}))) {
    return notSettled(
      'The payment was given up meanwhile; nothing was charged. Retry with the same payment.',
    );
  }
  const answer = await context.facilitator.settle(request);
  if (answer.kind === 'settled') return recordSettled(context, row, payment, answer.transaction);
  if (answer.kind === 'refused') {
    const use = await context.reader.read({ ...row, sinceTs: row.createdTs }).catch(() => null);
    if (use?.kind === 'used') return recordSettled(context, row, payment, use.transaction ?? '');
    if (use) {
      await move(context, row, ['settling'], 'failed', { reason: answer.reason });
      return { ok: false, ...settlementRefused(context.terms, row, payment, route, answer.reason) };
    }
  }
  const problem = answer.kind === 'open' ? answer.problem : answer.reason;
  const transaction = answer.kind === 'open' ? answer.transaction : null;
  context.logger.warn({ paymentId: row.paymentId, reason: problem, transaction }, 'settlement undecided');
  await move(context, row, ['settling'], 'undecided', { reason: problem, transaction });
  return notSettled(UNDECIDED_DETAIL);
}

const UNDECIDED_DETAIL =
  'The settlement of this payment is not decided yet. Do not pay again: retry with the same payment.';

/** The money has moved, so the answer is given even when this could not be written down; the job will. */
async function recordSettled(
  context: Context,
  row: PaymentRecord,
  payment: SentPayment,
  transaction: string,
): Promise<SettleOutcome> {
  try {
    const from = ['settling', 'undecided', 'settled'] as const;
    await move(context, row, from, 'settled', { transaction: transaction || null, reason: null });
  } catch (error) {
    context.logger.error(
      { paymentId: row.paymentId, transaction, reason: errorMessage(error) },
      'settled, not recorded',
    );
  }
  return { ok: true, headers: receipt(context.terms, row, payment, { success: true, transaction }) };
}

/** Somebody presents a payment that is in use, used up, open, or whose answer is still owed. */
async function answerRepeat(
  context: Context,
  fresh: PaymentRecord,
  payment: SentPayment,
  route: PaidRoute,
): Promise<PaymentAttempt | PaymentRejection> {
  let row = await context.payments.find(fresh.paymentId);
  if (row?.state === 'undecided') {
    const decision = await decidePayment(row, context).catch(() => 'open' as const);
    if (decision === 'open') return unavailable(UNDECIDED_DETAIL);
    row = await context.payments.find(fresh.paymentId);
  }
  if (row?.state === 'settled' && row.reason === ANSWER_OWED) return claimOwed(context, row, payment, route);
  const isOver = row?.state === 'settled' || row?.state === 'failed';
  return refuse(context.terms, route, isOver ? 'payment already used' : 'payment is in use by another call');
}

/** The state is the lock: whoever moves the row to settling may look whether the answer is still owed. */
async function claimOwed(
  context: Context,
  row: PaymentRecord,
  payment: SentPayment,
  route: PaidRoute,
): Promise<PaymentAttempt | PaymentRejection> {
  const isMine = await move(context, row, ['settled'], 'settling', {});
  const held = isMine ? await context.payments.find(row.paymentId) : undefined;
  if (held?.reason !== ANSWER_OWED) {
    if (isMine) await move(context, row, ['settling'], 'settled', {});
    return refuse(context.terms, route, 'payment already used');
  }
  return {
    kind: 'attempt',
    paymentId: row.paymentId,
    payer: payment.authorization.from,
    settle: () => track(context, recordSettled(context, row, payment, held.transaction ?? '')),
    release: async () => void (await move(context, row, ['settling'], 'settled', {})),
  };
}

type Change = { transaction?: string | null; reason?: string | null };

function move(
  context: Context,
  row: PaymentRecord,
  from: readonly PaymentRecord['state'][],
  to: PaymentRecord['state'],
  change: Change,
): Promise<boolean> {
  return context.payments.transition(row.paymentId, from, to, { ...change, updatedTs: context.clock.now() });
}

function toRow(
  context: Context,
  payment: SentPayment,
  route: PaidRoute,
  request: FacilitatorRequest,
): PaymentRecord {
  const { from, to, value, validBefore, nonce } = payment.authorization;
  const key = toPaymentKey(context.terms.network, context.terms.asset, from, nonce);
  const nowTs = context.clock.now();
  return {
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
}

/** Year 9999: authorisations without an end still fit every store. */
const MAX_VALID_BEFORE = 253_402_300_799n;

function track<T>(context: Context, work: Promise<T>): Promise<T> {
  context.inHand.add(work);
  const done = () => context.inHand.delete(work);
  work.then(done, done);
  return work;
}
