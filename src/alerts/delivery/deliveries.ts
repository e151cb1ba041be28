// Delivers due alerts to receivers of every kind, with timeouts and backoff. After a day without success, an
// alert stays in the log for replay. A slow receiver delays only its own alerts; a receiver that keeps
// failing is disabled.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Random } from '../../runtime/random.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookStore } from '../../store/ports.ts';
import type { SendAlert, SendOutcome } from './send-alert.ts';
import { createReceiverHealth, createTurns, FAILING_FOR_MS, FAILURES_IN_A_ROW } from './turns.ts';

export interface DeliveriesOptions {
  webhooks: WebhookStore;
  send: SendAlert;
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface Deliveries {
  start(): void;
  /** Checks for due deliveries now instead of at the next poll. */
  wake(): void;
  stop(): Promise<void>;
}

const ROUND_MS = 2 * SECOND_MS;
/** Minimum interval between checks. */
const MIN_GAP_MS = 20;
const UNRECORDED_PAUSE_MS = 5 * SECOND_MS;
/** Minimum number of deliveries to read at once. */
const MIN_READ = 50;
/** Maximum concurrent alerts per receiver. */
const PER_TURN = 5;
/** Chats and failing receivers get one alert at a time. */
const PER_CAREFUL_TURN = 1;

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { webhooks, clock, logger } = options;
  const health = createReceiverHealth();
  const turns = createTurns(() => rounds.wake());
  const note = createOutcomeLog((outcomes) => webhooks.note(outcomes));
  /** When the pause requested by a receiver, or after an unrecorded attempt, ends. */
  const pausedUntil = new Map<string, number>();

  /** Starts all due deliveries without waiting for them to finish. */
  async function round(signal: AbortSignal): Promise<void> {
    const passedOver = new Set<string>();
    while (!signal.aborted && turns.room() > 0) {
      const away = [...turns.list(), ...passedOver, ...listPaused()];
      const due = await webhooks.listDue(clock.now(), Math.max(MIN_READ, turns.room()), away);
      if (due.length === 0) return;
      const byReceiver = Map.groupBy(due, (delivery) => delivery.webhookId);
      const standing = await webhooks.listStanding(clock.now(), [...byReceiver.keys()]);
      const endpoints = new Map(standing.map((endpoint) => [endpoint.webhookId, endpoint]));
      for (const [webhookId, alerts] of byReceiver) {
        const hasBegun = beginTurn(webhookId, endpoints.get(webhookId), alerts);
        if (!hasBegun) passedOver.add(webhookId);
      }
    }
  }

  function pauseUntil(webhookId: string, untilTs: number): void {
    pausedUntil.set(webhookId, Math.max(untilTs, pausedUntil.get(webhookId) ?? 0));
  }

  function listPaused(): string[] {
    for (const [webhookId, untilTs] of pausedUntil) {
      if (untilTs <= clock.now()) pausedUntil.delete(webhookId);
    }
    return [...pausedUntil.keys()];
  }

  /** Returns false if the receiver must wait for other deliveries to finish. */
  function beginTurn(
    webhookId: string,
    endpoint: WebhookEndpoint | undefined,
    due: readonly WebhookDelivery[],
  ): boolean {
    const keyId = endpoint?.keyId ?? null;
    const isDoubtful = health.isFailing(webhookId);
    if (!turns.mayBegin({ keyId, isDoubtful })) return false;
    const isCareful = isDoubtful || (endpoint !== undefined && endpoint.kind !== 'webhook');
    const alerts = due.slice(0, isCareful ? PER_CAREFUL_TURN : PER_TURN);
    turns.begin(webhookId, { keyId, isDoubtful, alerts: alerts.length }, async () => {
      await Promise.all(alerts.map((delivery) => attempt(delivery, endpoint))).catch((error) => {
        // The alerts are still due: without a pause they would be sent again at once, for as long as the store fails.
        pauseUntil(webhookId, clock.now() + UNRECORDED_PAUSE_MS);
        logger.warn({ error: errorMessage(error) }, 'delivery attempt not recorded');
      });
    });
    return true;
  }

  async function attempt(delivery: WebhookDelivery, endpoint: WebhookEndpoint | undefined): Promise<void> {
    if (!endpoint) {
      const lastResponse = 'the endpoint is closed, or its key was revoked or has expired';
      return note({
        ...delivery,
        status: 'failed',
        nextAttemptTs: null,
        lastResponse,
        updatedTs: clock.now(),
      });
    }
    const outcome = await options.send(endpoint, delivery);
    if (outcome.pauseMs) pauseUntil(endpoint.webhookId, clock.now() + outcome.pauseMs);
    await note(judgeAttempt(delivery, outcome, clock.now(), options.random));
    if (outcome.isGone) return disable(endpoint, `disabled: ${outcome.response}`);
    if (isTooOften(outcome)) return;
    if (health.note(endpoint.webhookId, outcome.isDelivered, clock.now()))
      await disable(endpoint, FAILING_REASON);
  }

  async function disable({ webhookId, keyId }: WebhookEndpoint, reason: string): Promise<void> {
    await webhooks.disable(webhookId, clock.now(), reason);
    logger.warn({ webhookId, keyId }, `receiver ${reason}`);
  }

  const rounds = createRepeat({
    clock,
    pauseMs: ROUND_MS,
    leastGapMs: MIN_GAP_MS,
    run: round,
    onError: (error) => logger.warn({ error: errorMessage(error) }, 'delivery poll failed'),
  });
  return {
    start: () => void rounds.start(),
    wake: rounds.wake,
    async stop() {
      await rounds.stop();
      await turns.ended();
    },
  };
}

const FAILING_REASON = `disabled: ${FAILURES_IN_A_ROW} attempts in a row failed over ${FAILING_FOR_MS / HOUR_MS} hours`;

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

/** Resolves when the result is durable; a batch fails as a whole. */
export type NoteOutcome = (outcome: WebhookDelivery) => Promise<void>;

export function createOutcomeLog(
  write: (outcomes: readonly WebhookDelivery[]) => Promise<void>,
): NoteOutcome {
  let waiting: WebhookDelivery[] = [];
  let next: Promise<void> | null = null;
  let inHand: Promise<void> = Promise.resolve();

  function writeWaiting(): Promise<void> {
    const outcomes = waiting;
    waiting = [];
    next = null;
    return write(outcomes);
  }

  return (outcome) => {
    waiting.push(outcome);
    if (next === null) {
      next = inHand.then(writeWaiting);
      inHand = next.catch(() => {});
    }
    return next;
  };
}
