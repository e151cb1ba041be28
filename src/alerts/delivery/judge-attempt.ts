// Result of an attempt: delivered, retry later, or give up. Pure except for jitter.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { Random } from '../../runtime/random.ts';
import type { WebhookDelivery } from '../../store/ports.ts';
import type { SendOutcome } from './send-alert.ts';

/** Pauses before the second, third, … attempt; jitter is added. */
const RETRY_AFTER_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
];

export function judgeAttempt(
  delivery: WebhookDelivery,
  outcome: SendOutcome,
  nowTs: number,
  random: Random,
): WebhookDelivery {
  const reported = { ...delivery, lastResponse: outcome.response, updatedTs: nowTs };
  // A receiver's request to wait is not a failed attempt.
  if (isTooOften(outcome)) return { ...reported, nextAttemptTs: nowTs + outcome.pauseMs! };
  const attempts = delivery.attempts + 1;
  if (outcome.isDelivered) return { ...reported, attempts, status: 'delivered', nextAttemptTs: null };
  const pauseMs = outcome.isGone ? undefined : RETRY_AFTER_MS[attempts - 1];
  if (pauseMs === undefined) return { ...reported, attempts, status: 'failed', nextAttemptTs: null };
  const jitterMs = pauseMs * 0.2 * random.uniform();
  return { ...reported, attempts, nextAttemptTs: Math.ceil(nowTs + pauseMs + jitterMs) };
}

export function isTooOften({ isDelivered, isGone, pauseMs }: SendOutcome): boolean {
  return !isDelivered && !isGone && pauseMs !== undefined;
}
