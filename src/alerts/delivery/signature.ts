// Standard Webhooks signatures: HMAC-SHA256 over id.timestamp.body with the endpoint's secret.

import { createHmac, randomBytes } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';

export function createWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(24).toString('base64');
}

export function signWebhook(secret: string, deliveryId: string, timestampS: number, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const digest = createHmac('sha256', key).update(`${deliveryId}.${timestampS}.${body}`).digest('base64');
  return `v1,${digest}`;
}
