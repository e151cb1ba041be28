// The topics of the former /webhooks endpoints, as rules. A rule with a topic sends only the changes that the
// topic covers, under the topic's name and without a limit per hour, and lists nothing. Ends with the next
// release.

import { randomUUID } from 'node:crypto';
import type { AlertRule } from '../../store/ports.ts';
import { ALERT_KINDS, type AlertKindName } from './kinds.ts';
import type { Change } from './mark.ts';
import type { ConditionReading } from './readings.ts';

interface Topic {
  kind: AlertKindName;
  /** If omitted, all of the kind's alerts. */
  covers?(change: Change<ConditionReading>): boolean;
}

export const WEBHOOK_TOPICS = {
  'post.created': { kind: 'post_captured' },
  'counters.changed': { kind: 'counts_changed' },
  'oracle.stale': {
    kind: 'feed',
    covers: ({ reading }) => reading.key === 'feed/oracle' && reading.state === 'dark',
  },
  'oracle.caught_up': { kind: 'oracle_caught_up' },
  'signal.appeared': { kind: 'advice', covers: ({ reading }) => reading.state === 'BUY' },
  'signal.ended': { kind: 'advice', covers: ({ before }) => before === 'BUY' },
  'window.opened': { kind: 'window', covers: ({ before }) => before === 'ahead' },
  'window.settled': { kind: 'settled' },
} as const satisfies Record<string, Topic>;

export type WebhookTopic = keyof typeof WEBHOOK_TOPICS;

export const TOPIC_NAMES = Object.keys(WEBHOOK_TOPICS) as WebhookTopic[];

/** Shown as the limit of a rule with a topic; it is not enforced. */
const UNLIMITED_PER_HOUR = 1_000_000;

export function createTopicRules(
  { keyId, webhookId, createdTs }: { keyId: string; webhookId: string; createdTs: number },
  topics: readonly WebhookTopic[],
): AlertRule[] {
  return topics.map((topic) => {
    const { kind } = WEBHOOK_TOPICS[topic];
    return {
      ...{ ruleId: randomUUID(), keyId, kind, accountId: null, eventId: null, channelIds: [webhookId] },
      ...{ threshold: ALERT_KINDS[kind].threshold?.default ?? null, quiet: null, createdTs, topic },
      mostPerHour: UNLIMITED_PER_HOUR,
    };
  });
}

/** False for a topic that another release has stored. */
export function coversChange(topic: string, change: Change<ConditionReading>): boolean {
  if (!Object.hasOwn(WEBHOOK_TOPICS, topic)) return false;
  const { covers }: Topic = WEBHOOK_TOPICS[topic as WebhookTopic];
  return covers?.(change) ?? true;
}
