// A test alert: sent like any other, but immediately.

import { randomBytes } from 'node:crypto';
import type { Notice, WebhookDelivery } from '../../store/ports.ts';
import { owe } from './compose.ts';

export interface TestAlert {
  notice: Notice;
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
  const notice: Notice = {
    noticeId: `ntc_${randomBytes(16).toString('hex')}`,
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
  return { notice, deliveries: owe(notice, null, new Map(channelIds.map((id) => [id, wallTs]))) };
}
