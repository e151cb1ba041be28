// Creates a test alert, which is sent like any other alert but at once, even in quiet hours.

import { randomBytes } from 'node:crypto';
import type { Alert, WebhookDelivery } from '../../store/ports.ts';
import { deliver } from './compose.ts';

export interface TestAlert {
  alert: Alert;
  deliveries: WebhookDelivery[];
}

export function composeTest(options: {
  keyId: string;
  ruleIds: readonly string[];
  channelIds: readonly string[];
  subject: string;
  publicUrl: string;
  nowTs: number;
  wallTs: number;
}): TestAlert {
  const { keyId, ruleIds, channelIds, subject, wallTs } = options;
  const alert: Alert = {
    alertId: `ntc_${randomBytes(16).toString('hex')}`,
    keyId,
    kind: 'test',
    what: 'test',
    accountId: null,
    eventId: null,
    title: `Test: ${subject}`,
    text: 'This is a test alert.',
    link: `${options.publicUrl}/#/live`,
    data: {},
    ruleIds,
    happenedTs: options.nowTs,
    createdTs: wallTs,
    dueTs: channelIds.length === 0 ? null : wallTs,
  };
  return { alert, deliveries: deliver(alert, null, new Map(channelIds.map((id) => [id, wallTs]))) };
}
