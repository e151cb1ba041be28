// The x402 payment gate: reserve, verify, run the handler, settle, return the receipt. reconcile.ts can
// resolve every state a crash may leave behind.

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { PaymentStore } from '../../store/ports.ts';
import {
  type PaidRoute,
  type PaymentAttempt,
  type PaymentGate,
  type PaymentRejection,
  type PaymentSettings,
  resolvePaymentSettings,
  type SettleOutcome,
} from '../payment-gate.ts';
import { type AuthorizationReader, createAuthorizationReader } from '../reconciling/authorization-reader.ts';
import { startReconciling } from '../reconciling/reconcile.ts';
import { createFacilitatorClient, type FacilitatorClient } from './facilitator-client.ts';
import { isSignedByPayer, matchPayment } from './match-payment.ts';
import { parsePayment } from './parse-payment.ts';
import { notSettled, refuse, unavailable, unreadable } from './payment-answers.ts';
import { createCall, type GateContext, move, type PaymentCall, track } from './payment-call.ts';
import { createPaymentTerms } from './payment-terms.ts';
import { answerRepeat, mayBePending } from './repeats.ts';
import { settle } from './settle.ts';

const CHALLENGE_DETAIL = 'Payment required: send an x402 payment, or a PRO key in the X-API-Key header';

export interface X402GateOptions {
  settings: PaymentSettings;
  payments: PaymentStore;
  /** Wall-clock time, used to check authorisations. */
  clock: Clock;
  logger: Logger;
  facilitator?: FacilitatorClient;
  reader?: AuthorizationReader;
  /** False if another process runs the reconciling job. */
  reconciles?: boolean;
}

export function createX402Gate(options: X402GateOptions): PaymentGate {
  const settings = resolvePaymentSettings(options.settings);
  const stopping = new AbortController();
  const context: GateContext = {
    terms: createPaymentTerms(settings),
    payments: options.payments,
    clock: options.clock,
    logger: options.logger,
    facilitator: options.facilitator ?? createFacilitatorClient(settings),
    reader: options.reader ?? createAuthorizationReader(settings.network, settings.rpcUrl),
    inHand: new Set(),
    sending: new Set(),
    stopping: stopping.signal,
  };
  const job = options.reconciles === false ? null : startReconciling(settings, context);

  return {
    challenge: (route, detail) => context.terms.challenge(route, detail ?? CHALLENGE_DETAIL),
    findPaymentHeader,
    begin: (header, route, signal) => begin(context, header, route, signal),
    totals: () => options.payments.totals(),
    async close() {
      stopping.abort();
      await job?.stop();
      await Promise.allSettled(context.inHand);
    },
  };
}

async function begin(
  context: GateContext,
  header: string,
  route: PaidRoute,
  signal?: AbortSignal,
): Promise<PaymentAttempt | PaymentRejection> {
  const parsed = parsePayment(header);
  if (!parsed.ok) return unreadable(parsed.reason);
  const matched = matchPayment(context.terms, parsed.payment, route, context.clock.now());
  if (!matched.ok) return refuse(context.terms, route, matched.reason);
  if (!(await isSignedByPayer(context.terms, parsed.payment))) {
    return refuse(context.terms, route, 'invalid_exact_evm_signature');
  }
  const call = createCall(context, parsed.payment, route, matched.request);
  if (matched.timeFault !== null) return answerUntimely(context, call, matched.timeFault);
  if (!(await reserve(context, call))) return answerRepeat(context, call);
  try {
    return await verify(context, call, signal);
  } catch (error) {
    await release(context, call, errorMessage(error)).catch(() => undefined);
    throw error;
  }
}

/** The payment can no longer settle, but if it was charged, the caller still gets the response. */
async function answerUntimely(
  context: GateContext,
  call: PaymentCall,
  timeFault: string,
): Promise<PaymentAttempt | PaymentRejection> {
  const row = await context.payments.find(call.row.paymentId);
  return mayBePending(row) ? answerRepeat(context, call) : refuse(context.terms, call.route, timeFault);
}

/** Two replicas inserting the same row at once may collide on the id instead of the nonce. */
async function reserve(context: GateContext, { row }: PaymentCall): Promise<boolean> {
  try {
    return await context.payments.reserve(row);
  } catch (error) {
    const held = await context.payments.find(row.paymentId);
    if (!held || held.state === 'released') throw error;
    return false;
  }
}

function release(context: GateContext, call: PaymentCall, reason: string): Promise<boolean> {
  return move(context, call, 'released', { reason });
}

async function verify(
  context: GateContext,
  call: PaymentCall,
  signal?: AbortSignal,
): Promise<PaymentAttempt | PaymentRejection> {
  const { paymentId } = call.row;
  const answer = await context.facilitator.verify(call.request);
  if (answer.kind === 'invalid') {
    await release(context, call, answer.reason);
    return refuse(context.terms, call.route, answer.reason);
  }
  if (answer.kind === 'unreachable' || signal?.aborted) {
    const reason = answer.kind === 'unreachable' ? answer.problem : 'the caller disconnected';
    await release(context, call, reason);
    context.logger.warn({ paymentId, reason }, 'payment not verified');
    return unavailable(
      'Payments cannot be verified right now; nothing was charged. Retry with the same payment.',
    );
  }
  if (!(await move(context, call, 'verified'))) {
    return unavailable('The payment was released; nothing was charged. Retry with the same payment.');
  }
  return {
    kind: 'attempt',
    paymentId,
    payer: call.payment.authorization.from,
    // A caller that disconnected is not charged.
    settle: () => track(context, signal?.aborted ? giveUp(context, call) : settle(context, call)),
    release: async (reason) => void (await release(context, call, reason)),
  };
}

async function giveUp(context: GateContext, call: PaymentCall): Promise<SettleOutcome> {
  await release(context, call, 'the caller disconnected');
  return notSettled('The caller disconnected; nothing was charged.');
}

// Request headers that can carry the payment: our own name first, then those of protocol versions 2 and 1.

const HEADER_NAMES = ['x402', 'payment-signature', 'x-payment'] as const;

function findPaymentHeader(headers: Readonly<Record<string, string | string[] | undefined>>): string | null {
  for (const name of HEADER_NAMES) {
    const value = headers[name];
    const text = (Array.isArray(value) ? value[0] : value)?.trim();
    if (text) return text;
  }
  return null;
}
