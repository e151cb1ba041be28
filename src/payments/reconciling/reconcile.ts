// Resolves payments left open by a crash or a silent facilitator. It reads the chain and never settles again:
// a caller that got no response must not be charged afterwards.
//   reserved, verified  nothing was sent to settle                -> released
//   settling, undecided used on the chain                         -> settled, response pending
//                       unused and past validBefore on the chain  -> failed
//                       cancelled, or used for another transfer   -> failed
//                       unused and still valid                    -> undecided: the payment can be retried

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createPollLoop, type PollLoop } from '../../runtime/poll-loop.ts';
import { createRandom, randomSeed } from '../../runtime/random.ts';
import type { PaymentRecord, PaymentState, PaymentStore } from '../../store/ports.ts';
import type { ResolvedPaymentSettings } from '../payment-gate.ts';
import type { AuthorizationReader } from './authorization-reader.ts';

/** Reason stored with a settled payment while its response is pending; the same payment retrieves it once. */
export const ANSWER_PENDING = 'settled without an answer: the same payment returns it once';

export function isAnswerPending(row: PaymentRecord | undefined): boolean {
  return row?.state === 'settled' && row.reason === ANSWER_PENDING;
}

/** Recent blocks can still be replaced, so wait this long after validBefore. */
const EXPIRY_GRACE_S = 12;

/** The time of a row's next change, which differs from the last one even within a millisecond. */
export function nextVersion({ updatedTs }: PaymentRecord, clock: Clock): number {
  return Math.max(clock.now(), updatedTs + 1);
}

export interface ReconcileOptions {
  payments: PaymentStore;
  reader: AuthorizationReader;
  clock: Clock;
  logger: Logger;
  /** Younger rows may belong to calls that are still running. */
  minBegunAgeMs: number;
  minSettlingAgeMs: number;
  /** At this age, no settlement of the row can still be running. */
  orphanAgeMs: number;
}

export interface ReconcileSummary {
  released: number;
  settled: number;
  failed: number;
  /** Still open: valid and unused, or the chain is unreachable. */
  open: number;
}

export async function reconcilePayments(options: ReconcileOptions): Promise<ReconcileSummary> {
  const { payments, clock } = options;
  const summary: ReconcileSummary = { released: 0, settled: 0, failed: 0, open: 0 };
  const nowTs = clock.now();
  for (const row of await payments.listByState(['reserved', 'verified'], nowTs - options.minBegunAgeMs)) {
    const { paymentId, state, updatedTs: ifUpdatedTs } = row;
    const updatedTs = nextVersion(row, clock);
    const change = { reason: 'the call ended before settlement', updatedTs, ifUpdatedTs };
    if (await payments.transition(paymentId, [state], 'released', change)) summary.released++;
  }
  const settling = await payments.listByState(['settling'], nowTs - options.minSettlingAgeMs);
  const undecided = await payments.listByState(['undecided']);
  for (const row of [...settling, ...undecided]) {
    const decision = await decideSafely(row, options);
    summary[decision]++;
    if (decision === 'open' && row.updatedTs < nowTs - options.orphanAgeMs)
      await giveUpSettling(row, options);
  }
  return summary;
}

async function giveUpSettling(row: PaymentRecord, { payments, clock }: ReconcileOptions): Promise<void> {
  const { paymentId, updatedTs: ifUpdatedTs } = row;
  const change = {
    reason: 'the call ended during settlement',
    updatedTs: nextVersion(row, clock),
    ifUpdatedTs,
  };
  await payments.transition(paymentId, ['settling'], 'undecided', change);
}

type Decision = 'settled' | 'failed' | 'open';

async function decideSafely(row: PaymentRecord, options: ReconcileOptions): Promise<Decision> {
  try {
    return await decidePayment(row, options);
  } catch (error) {
    options.logger.warn({ paymentId: row.paymentId, reason: errorMessage(error) }, 'payment still open');
    return 'open';
  }
}

export async function decidePayment(
  row: PaymentRecord,
  options: Pick<ReconcileOptions, 'payments' | 'reader' | 'clock' | 'logger'>,
): Promise<Decision> {
  const use = await options.reader.read({ ...row, sinceTs: row.createdTs });
  if (use.kind === 'used') return move('settled', use.transaction ?? row.transaction, ANSWER_PENDING);
  if (use.kind === 'diverted')
    return move('failed', use.transaction, 'the payer used the authorisation for another transfer');
  if (use.kind === 'cancelled') return move('failed', use.transaction, 'cancelled by the payer');
  if (use.headTimestampS < row.validBefore + EXPIRY_GRACE_S) return 'open';
  return move('failed', null, 'never settled; the authorisation has expired');

  async function move(
    to: Decision & PaymentState,
    transaction: string | null,
    reason: string,
  ): Promise<Decision> {
    // Updates only the version that was checked: another call may have taken the row since, and a second
    // decision would return its response twice.
    const updatedTs = nextVersion(row, options.clock);
    const change = { transaction, reason, updatedTs, ifUpdatedTs: row.updatedTs };
    const moved = await options.payments.transition(row.paymentId, [row.state], to, change);
    if (moved)
      options.logger.info({ paymentId: row.paymentId, state: to, transaction, reason }, 'payment decided');
    return to;
  }
}

// Runs reconcilePayments on a timer. It can run on every replica at once, because each step is an atomic
// transition.

/** Longer than any handler takes. */
const BEGUN_AGE_MS = 120_000;
/** Added to the facilitator's timeout, to allow for reading the chain and recording the outcome. */
const SETTLING_SLACK_MS = 60_000;

export function startReconciling(
  settings: ResolvedPaymentSettings,
  context: { payments: PaymentStore; reader: AuthorizationReader; clock: Clock; logger: Logger },
): PollLoop {
  const loop = createPollLoop({
    periodMs: settings.reconcilePeriodMs,
    timeoutMs: 60_000,
    maxBackoffMs: 300_000,
    clock: context.clock,
    random: createRandom(randomSeed()),
    runOnce: async () => {
      await reconcilePayments({
        ...context,
        minBegunAgeMs: BEGUN_AGE_MS,
        minSettlingAgeMs: settings.settleTimeoutMs + SETTLING_SLACK_MS,
        orphanAgeMs: settings.settleTimeoutMs + SETTLING_SLACK_MS,
      });
    },
    onError: (error) => context.logger.warn({ reason: errorMessage(error) }, 'payment reconciliation failed'),
  });
  loop.start();
  return loop;
}
