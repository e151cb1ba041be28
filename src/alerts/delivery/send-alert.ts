// Sends one alert to one receiver. Only this file distinguishes between channel kinds.

import { createHmac, randomBytes } from 'node:crypto';
import { SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ReceiverKind, WebhookDelivery, WebhookEndpoint } from '../../store/ports.ts';
import type { PostOutcome, PostWebhook } from './post-guarded.ts';

export interface SendOutcome {
  isDelivered: boolean;
  /** Shown to the owner in the delivery log. */
  response: string;
  /** Pause requested by the receiver. If the alert was not delivered, the pause is the only reason. */
  pauseMs?: number;
  /** The receiver is permanently gone. */
  isGone?: boolean;
}

export type SendAlert = (endpoint: WebhookEndpoint, delivery: WebhookDelivery) => Promise<SendOutcome>;

export const POST_TIMEOUT_MS = 10 * SECOND_MS;

export function createSendByKind(senders: Partial<Record<ReceiverKind, SendAlert>>): SendAlert {
  return async (endpoint, delivery) => {
    const send = senders[endpoint.kind];
    if (!send) return { isDelivered: false, response: `this service cannot send to ${endpoint.kind}` };
    return send(endpoint, delivery);
  };
}

/** Signed according to Standard Webhooks. */
export function createWebhookSender(post: PostWebhook, clock: Clock): SendAlert {
  return async ({ url, secret }, { deliveryId, body }) => {
    const timestampS = Math.floor(clock.now() / 1000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'tallycast-webhooks/1',
      'webhook-id': deliveryId,
      'webhook-timestamp': String(timestampS),
      'webhook-signature': signWebhook(secret, deliveryId, timestampS, body),
    };
    return toOutcome(await post({ url, body, timeoutMs: POST_TIMEOUT_MS, headers }));
  };
}

export function toOutcome({ status, problem }: PostOutcome): SendOutcome {
  const isDelivered = status !== null && status >= 200 && status < 300;
  return { isDelivered, response: status === null ? (problem ?? 'no response') : `status ${status}` };
}

export const SECRET_PREFIX = 'whsec_';

export function createWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(24).toString('base64');
}

export function signWebhook(secret: string, deliveryId: string, timestampS: number, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const digest = createHmac('sha256', key).update(`${deliveryId}.${timestampS}.${body}`).digest('base64');
  return `v1,${digest}`;
}
