// Topics a webhook can subscribe to.

export const WEBHOOK_TOPICS = [
  'post.created',
  'counters.changed',
  'oracle.stale',
  'oracle.caught_up',
  'signal.appeared',
  'signal.ended',
  'window.opened',
  'window.settled',
] as const;

export type WebhookTopic = (typeof WEBHOOK_TOPICS)[number];
