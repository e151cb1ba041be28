// Delivers due alerts to receivers of every kind, with timeouts and backoff. After a day without success, an
// alert stays in the log for replay. A slow receiver delays only its own alerts; a receiver that keeps
// failing is disabled.

import { HOUR_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Random } from '../../runtime/random.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookStore } from '../../store/ports.ts';
import { isTooOften, judgeAttempt } from './judge-attempt.ts';
import { createOutcomeLog } from './outcome-log.ts';
import { createReceiverHealth, FAILING_FOR_MS, FAILURES_IN_A_ROW } from './receiver-health.ts';
import type { SendAlert } from './send-alert.ts';
import { createTurns } from './turns.ts';

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
const LEAST_GAP_MS = 20;
/** Minimum number of deliveries to read at once. */
const LEAST_READ = 50;
/** Maximum concurrent alerts per receiver. */
const PER_TURN = 5;
/** Chats and failing receivers get one alert at a time. */
const PER_CAREFUL_TURN = 1;

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { webhooks, clock, logger } = options;
  const health = createReceiverHealth();
  const turns = createTurns(() => rounds.wake());
  const note = createOutcomeLog((outcomes) => webhooks.note(outcomes));
  /** When the pause requested by a receiver ends. */
  const pausedUntil = new Map<string, number>();

  /** Starts all due deliveries without waiting for them to finish. */
  async function round(signal: AbortSignal): Promise<void> {
    const passedOver = new Set<string>();
    while (!signal.aborted && turns.room() > 0) {
      const away = [...turns.list(), ...passedOver, ...listPaused()];
      const due = await webhooks.listDue(clock.now(), Math.max(LEAST_READ, turns.room()), away);
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
      await Promise.all(alerts.map((delivery) => attempt(delivery, endpoint))).catch((error) =>
        logger.warn({ error: errorMessage(error) }, 'delivery attempt not recorded'),
      );
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
    if (outcome.pauseMs) pausedUntil.set(endpoint.webhookId, clock.now() + outcome.pauseMs);
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
    leastGapMs: LEAST_GAP_MS,
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
