// Delivers what is due, to receivers of every kind: with time-outs, again after growing pauses, for a day; then it is given up
// and stays in the log, from which its owner can have it replayed. Every receiver has its own turn: while one is slow,
// its notices wait, and nobody else's. One that keeps failing is disabled.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Random } from '../../runtime/random.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookStore } from '../../store/ports.ts';
import { createReceiverHealth, FAILING_FOR_MS, FAILURES_IN_A_ROW } from './receiver-health.ts';
import type { SendNotice, SendOutcome } from './send-notice.ts';

export interface DeliveriesOptions {
  webhooks: WebhookStore;
  send: SendNotice;
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface Deliveries {
  start(): void;
  /** Looks for due deliveries now rather than at the next round. */
  wake(): void;
  stop(): Promise<void>;
}

/** Pauses before the second, third ... attempt; with jitter on top. */
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
const ROUND_MS = 2 * SECOND_MS;
/** However many receivers end their turns, what is due is not looked for more often. */
const LEAST_GAP_MS = 20;
const BATCH = 500;
/** Notices that one receiver is sent at once, receivers of one key, and receivers in all that are being told something. */
const PER_TURN = 5;
/** A person reads one after the other. */
const PER_TURN_OF_A_CHAT = 1;
const TURNS_OF_A_KEY = 10;
const MAX_TURNS = 400;

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { webhooks, clock, logger } = options;
  const health = createReceiverHealth();
  /** Receivers whose turn it is, with the key that owns them. */
  const turns = new Map<string, { keyId: string | null; ended: Promise<void> }>();
  /** Receivers that asked to be left alone until then. */
  const pausedUntil = new Map<string, number>();

  /** Begins the turns of all receivers that something is due for; waits for none of them. */
  async function round(signal: AbortSignal): Promise<void> {
    const passedOver = new Set<string>();
    while (!signal.aborted && turns.size < MAX_TURNS) {
      const away = [...turns.keys(), ...passedOver, ...listPaused()];
      const due = await webhooks.listDue(clock.now(), BATCH, away);
      if (due.length === 0) return;
      const byReceiver = Map.groupBy(due, (delivery) => delivery.webhookId);
      const standing = await webhooks.listStanding(clock.now(), [...byReceiver.keys()]);
      const endpoints = new Map(standing.map((endpoint) => [endpoint.webhookId, endpoint]));
      for (const [webhookId, notices] of byReceiver) {
        const endpoint = endpoints.get(webhookId);
        if (endpoint && countTurns(endpoint.keyId) >= TURNS_OF_A_KEY) passedOver.add(webhookId);
        else beginTurn(webhookId, endpoint, notices.slice(0, perTurn(endpoint)));
      }
    }
  }

  function listPaused(): string[] {
    for (const [webhookId, untilTs] of pausedUntil) {
      if (untilTs <= clock.now()) pausedUntil.delete(webhookId);
    }
    return [...pausedUntil.keys()];
  }

  function countTurns(keyId: string): number {
    return [...turns.values()].filter((turn) => turn.keyId === keyId).length;
  }

  function beginTurn(
    webhookId: string,
    endpoint: WebhookEndpoint | undefined,
    notices: readonly WebhookDelivery[],
  ): void {
    const ended = Promise.all(notices.map((delivery) => attempt(delivery, endpoint)))
      .catch((error) => logger.warn({ error: errorMessage(error) }, 'webhook attempt was not written down'))
      .then(() => {
        turns.delete(webhookId);
        rounds.wake();
      });
    turns.set(webhookId, { keyId: endpoint?.keyId ?? null, ended });
  }

  async function attempt(delivery: WebhookDelivery, endpoint: WebhookEndpoint | undefined): Promise<void> {
    if (!endpoint) {
      await webhooks.update({
        ...delivery,
        status: 'failed',
        nextAttemptTs: null,
        lastResponse: 'the endpoint is gone, or its key was revoked or is over',
        updatedTs: clock.now(),
      });
      return;
    }
    const outcome = await options.send(endpoint, delivery);
    if (outcome.pauseMs) pausedUntil.set(endpoint.webhookId, clock.now() + outcome.pauseMs);
    await webhooks.update({
      ...delivery,
      ...judge(delivery.attempts, outcome),
      lastResponse: outcome.response,
      updatedTs: clock.now(),
    });
    if (outcome.isGone) return disable(endpoint, `disabled: ${outcome.response}`);
    if (isTooOften(outcome)) return;
    if (health.note(endpoint.webhookId, outcome.isDelivered, clock.now()))
      await disable(endpoint, FAILING_REASON);
  }

  async function disable({ webhookId, keyId }: WebhookEndpoint, reason: string): Promise<void> {
    await webhooks.disable(webhookId, clock.now(), reason);
    logger.warn({ webhookId, keyId }, `a receiver was ${reason}`);
  }

  function judge(
    attemptsBefore: number,
    outcome: SendOutcome,
  ): Pick<WebhookDelivery, 'attempts' | 'status' | 'nextAttemptTs'> {
    const attempts = attemptsBefore + 1;
    if (outcome.isDelivered) return { attempts, status: 'delivered', nextAttemptTs: null };
    if (outcome.isGone) return { attempts, status: 'failed', nextAttemptTs: null };
    // It was told to wait, not refused: that is no attempt.
    if (isTooOften(outcome))
      return { attempts: attemptsBefore, status: 'pending', nextAttemptTs: clock.now() + outcome.pauseMs! };
    const pauseMs = RETRY_AFTER_MS[attempts - 1];
    if (pauseMs === undefined) return { attempts, status: 'failed', nextAttemptTs: null };
    const jitterMs = pauseMs * 0.2 * options.random.uniform();
    return { attempts, status: 'pending', nextAttemptTs: Math.ceil(clock.now() + pauseMs + jitterMs) };
  }

  const rounds = createRepeat({
    clock,
    pauseMs: ROUND_MS,
    leastGapMs: LEAST_GAP_MS,
    run: round,
    onError: (error) => logger.warn({ error: errorMessage(error) }, 'webhook round failed'),
  });
  return {
    start: () => void rounds.start(),
    wake: rounds.wake,
    async stop() {
      await rounds.stop();
      await Promise.all([...turns.values()].map(({ ended }) => ended));
    },
  };
}

const FAILING_REASON = `disabled: ${FAILURES_IN_A_ROW} attempts in a row failed over ${FAILING_FOR_MS / HOUR_MS} hours`;

function perTurn(endpoint: WebhookEndpoint | undefined): number {
  return endpoint === undefined || endpoint.kind === 'webhook' ? PER_TURN : PER_TURN_OF_A_CHAT;
}

function isTooOften({ isDelivered, isGone, pauseMs }: SendOutcome): boolean {
  return !isDelivered && !isGone && pauseMs !== undefined;
}
