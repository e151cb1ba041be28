// Runs reconcilePayments on a timer. It can run on every replica at once, because each step is an atomic
// transition.

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createPollLoop, type PollLoop } from '../../runtime/poll-loop.ts';
import { createRandom, randomSeed } from '../../runtime/random.ts';
import type { PaymentStore } from '../../store/ports.ts';
import type { ResolvedPaymentSettings } from '../payment-settings.ts';
import type { AuthorizationReader } from './authorization-reader.ts';
import { reconcilePayments } from './reconcile.ts';

/** Longer than any handler takes. */
const BEGUN_AGE_MS = 120_000;
/** Added to the facilitator's timeout, to allow for reading the chain and recording the outcome. */
const SETTLING_SLACK_MS = 60_000;

export function startReconciling(
  settings: ResolvedPaymentSettings,
  context: { payments: PaymentStore; reader: AuthorizationReader; clock: Clock; logger: Logger },
): PollLoop {
  const loop = createPollLoop({
    name: 'payment reconciliation',
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
