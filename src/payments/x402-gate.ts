// Sells calls for x402 payments. A payment becomes a row when its response is ready: the response is stored with it,
// and only then is the facilitator asked for the money. Whatever dies after that, the row says what to do: settle again.
// The chain accepts an authorisation once, so settling again never charges twice and tells whether it was paid.
//   settling  response stored; the outcome is not known
//   settled   paid; the same payment gets the stored response again
//   failed    refused by the facilitator before any money moved

import { createHash } from 'node:crypto';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { PaymentRecord, PaymentStore } from '../store/ports.ts';
import { notSettled, receipt, refuse, UNSETTLED, unavailable, unreadable } from './answers.ts';
import { createFacilitator, type Facilitator, type SettleAnswer, type SignedOffer } from './facilitator.ts';
import { findPaymentHeader, parsePayment, type SentPayment } from './parse-payment.ts';
import type {
  KeptResponse,
  PaidRequest,
  PaidResponse,
  PaymentAttempt,
  PaymentGate,
  PaymentRejection,
  PaymentSettings,
} from './payment-gate.ts';
import { createPaymentTerms, type PaymentTerms } from './terms.ts';

const CHALLENGE_DETAIL = 'Payment required: send an x402 payment, or a PRO key in the X-API-Key header';
/** Blocks may carry a slightly older time than our clock. */
const EXPIRY_GRACE_S = 30;
/** Some authorisations have no end. */
const MAX_OPEN_S = 600;
/** Year 9999, so that authorisations without an end fit in every store. */
const MAX_VALID_BEFORE = 253_402_300_799n;

export interface X402GateOptions {
  settings: PaymentSettings;
  payments: PaymentStore;
  /** Wall-clock time. */
  clock: Pick<Clock, 'now'>;
  logger: Logger;
  facilitator?: Partial<Facilitator>;
}

export interface X402Gate extends PaymentGate {
  /** Settles again what a crash or a silent facilitator left open. */
  resolveOpen(): Promise<void>;
  /** Waits for running settlements. */
  close(): Promise<void>;
}

interface Context extends Omit<X402GateOptions, 'settings' | 'facilitator'> {
  terms: PaymentTerms;
  facilitator: Facilitator;
  /** Settlements of this process, by payment: calls with the same payment share one. */
  settling: Map<string, Promise<PaymentRecord>>;
}

interface Call {
  paymentId: string;
  payment: SentPayment;
  request: PaidRequest;
  offer: SignedOffer;
}

type Outcome = PaidResponse | PaymentRejection;

export function createX402Gate(options: X402GateOptions): X402Gate {
  const { settings, payments, clock, logger } = options;
  const terms = createPaymentTerms(settings);
  const facilitator = { ...createFacilitator(settings, terms), ...options.facilitator };
  const settling: Context['settling'] = new Map();
  const context: Context = { payments, clock, logger, terms, facilitator, settling };

  return {
    challenge: (request, detail) => terms.challenge(request, detail ?? CHALLENGE_DETAIL),
    findPaymentHeader,
    begin: (header, request, signal) => begin(context, header, request, signal),
    totals: () => payments.totals(),
    async resolveOpen() {
      for (const row of await payments.listByState(['settling'])) await settleRow(context, row, false);
    },
    async close() {
      await Promise.allSettled(settling.values());
    },
  };
}

async function begin(
  context: Context,
  header: string,
  request: PaidRequest,
  signal?: AbortSignal,
): Promise<PaymentAttempt | Outcome> {
  const { terms, payments, facilitator } = context;
  const parsed = parsePayment(header);
  if (!parsed.ok) return unreadable(parsed.reason);
  const { payment } = parsed;
  const offer = facilitator.match(payment, request);
  if (offer === null) return refuse(terms, request, 'it does not accept the terms of this route');
  const call: Call = { paymentId: toPaymentId(terms, payment), payment, request, offer };
  const known = await payments.find(call.paymentId);
  if (known) return answerAgain(context, call, known);
  const verdict = await facilitator.verify(offer);
  if (verdict.kind === 'valid')
    return { kind: 'attempt', settle: (response) => settle(context, call, response, signal) };
  // Another call with the same payment may have settled it meanwhile.
  const row = await payments.find(call.paymentId);
  if (row) return answerAgain(context, call, row);
  if (verdict.kind === 'refused') return refuse(terms, request, verdict.reason);
  context.logger.warn({ paymentId: call.paymentId, reason: verdict.reason }, 'payment not verified');
  return unavailable('Payments cannot be verified now; nothing was charged. Retry with the same payment.');
}

async function settle(
  context: Context,
  call: Call,
  response: KeptResponse,
  signal?: AbortSignal,
): Promise<Outcome> {
  if (signal?.aborted) return unavailable('The caller disconnected; nothing was charged.');
  const { payments } = context;
  const row = toRow(context, call);
  if (await payments.insert(row, JSON.stringify(response)))
    return toOutcome(context, call, await settleRow(context, row, true), response);
  return answerAgain(context, call, (await payments.find(call.paymentId))!);
}

/** A payment buys one response: the same request gets it again, any other request is refused. */
async function answerAgain(context: Context, call: Call, row: PaymentRecord): Promise<Outcome> {
  const { payload } = JSON.parse(row.payload) as SignedOffer;
  const isSame = row.request === call.request.digest && payload.payload.signature === call.payment.signature;
  if (!isSame) return refuse(context.terms, call.request, 'payment already used');
  const settled = row.state === 'settling' ? await settleRow(context, row, false) : row;
  return toOutcome(context, call, settled);
}

async function toOutcome(
  { terms, payments }: Context,
  { payment, request }: Call,
  row: PaymentRecord,
  given?: KeptResponse,
): Promise<Outcome> {
  if (row.state === 'settling') return unavailable(UNSETTLED);
  if (row.state === 'failed') return notSettled(terms, payment, request, row);
  const kept = given ?? (await findResponse(payments, row.paymentId));
  if (kept === null) return refuse(terms, request, 'payment already used');
  return { kind: 'paid', response: kept, headers: receipt(terms, payment, row) };
}

async function findResponse(payments: PaymentStore, paymentId: string): Promise<KeptResponse | null> {
  const text = await payments.findResponse(paymentId);
  return text === null ? null : (JSON.parse(text) as KeptResponse);
}

function settleRow(context: Context, row: PaymentRecord, isFirst: boolean): Promise<PaymentRecord> {
  const { settling } = context;
  const running = settling.get(row.paymentId);
  if (running) return running;
  const work = askForMoney(context, row, isFirst).finally(() => settling.delete(row.paymentId));
  settling.set(row.paymentId, work);
  return work;
}

async function askForMoney(
  { payments, facilitator, clock, logger }: Context,
  row: PaymentRecord,
  isFirst: boolean,
): Promise<PaymentRecord> {
  const { paymentId } = row;
  const answer = await facilitator.settle(JSON.parse(row.payload) as SignedOffer);
  const isOver =
    clock.now() / 1000 > Math.min(row.validBefore + EXPIRY_GRACE_S, row.createdTs / 1000 + MAX_OPEN_S);
  const decision = decide(answer, isFirst, isOver);
  logger.info({ paymentId, ...decision }, 'payment settlement');
  if (decision.state === 'settling') return row;
  const change = { ...decision, updatedTs: clock.now() };
  // A refusal never undoes a settlement by another replica.
  const from = decision.state === 'settled' ? (['settling', 'failed'] as const) : (['settling'] as const);
  try {
    const isMoved = await payments.transition(paymentId, from, decision.state, change);
    return isMoved ? { ...row, ...change } : ((await payments.find(paymentId)) ?? row);
  } catch (error) {
    // The row stays open and is settled again later.
    logger.error({ paymentId, ...decision, problem: errorMessage(error) }, 'settlement not recorded');
    return { ...row, ...change };
  }
}

type Decision = Pick<PaymentRecord, 'state' | 'transaction' | 'reason'>;

/**
 * A refusal of the first attempt is final. A later one proves nothing, because an earlier attempt may have settled:
 * the payment then stays open until its time is over, and doubt favours the payer, whose response is stored.
 */
function decide(answer: SettleAnswer, isFirst: boolean, isOver: boolean): Decision {
  if (answer.kind === 'settled') return { state: 'settled', transaction: answer.transaction, reason: null };
  if (answer.kind === 'used')
    return { state: 'settled', transaction: null, reason: 'the authorisation was used before' };
  const { reason } = answer;
  if (answer.kind === 'refused' && isFirst) return { state: 'failed', transaction: null, reason };
  if (isOver)
    return {
      state: 'settled',
      transaction: null,
      reason: 'expired before its settlement was confirmed: counts as paid',
    };
  return { state: 'settling', transaction: null, reason };
}

function toRow({ terms, clock }: Context, { paymentId, payment, request, offer }: Call): PaymentRecord {
  const { from, to, value, validBefore, nonce } = payment.authorization;
  const nowTs = clock.now();
  return {
    paymentId,
    network: terms.network,
    asset: terms.asset.toLowerCase(),
    payer: from.toLowerCase(),
    nonce: nonce.toLowerCase(),
    payTo: to.toLowerCase(),
    amount: value,
    route: `${request.method} ${request.pattern}`,
    request: request.digest,
    state: 'settling',
    transaction: null,
    reason: null,
    validBefore: Number(BigInt(validBefore) > MAX_VALID_BEFORE ? MAX_VALID_BEFORE : BigInt(validBefore)),
    payload: JSON.stringify(offer),
    createdTs: nowTs,
    updatedTs: nowTs,
  };
}

/** The same authorisation has the same id in every header, version and replica. */
function toPaymentId({ network, asset }: PaymentTerms, { authorization }: SentPayment): string {
  const key = `${network} ${asset} ${authorization.from} ${authorization.nonce}`.toLowerCase();
  return `pay_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
}
