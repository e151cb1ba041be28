// Webhook topics become rules, which keep the topic's name for one release.

import type { Migration } from './migration.ts';

/** Kind and default threshold of the rule that replaces each topic. */
const RULES: Record<string, readonly [kind: string, threshold: string]> = {
  'post.created': ['post_captured', 'null'],
  'counters.changed': ['counts_changed', 'null'],
  'oracle.stale': ['feed', 'null'],
  'oracle.caught_up': ['oracle_caught_up', 'null'],
  'signal.appeared': ['advice', 'null'],
  'signal.ended': ['advice', 'null'],
  'window.opened': ['window', '60'],
  'window.settled': ['settled', 'null'],
};

/** These conditions store their state as before, so a change during the upgrade is not missed. */
const RENAMED = [
  ['topic/post.created', 'post_captured'],
  ['topic/window.settled', 'settled'],
] as const;

export const topicsAsRules: Migration = {
  version: 16,
  name: 'topics as rules',
  statements: ({ text, real }) => [
    `alter table rules add column topic ${text}`,
    ...Object.entries(RULES).map(
      ([topic, [kind, threshold]]) => `insert into rules
        (rule_id, key_id, kind, threshold, channel_ids, most_per_hour, created_ts, topic)
        select webhook_id || '-${topic}', key_id, '${kind}', cast(${threshold} as ${real}),
          '["' || webhook_id || '"]', 1000000, created_ts, '${topic}'
        from webhooks where topics like '%"${topic}"%'`,
    ),
    ...RENAMED.map(
      ([from, to]) => `update watch_marks set mark = replace(mark, '"${from}', '"${to}')
        where mark like '%"${from}%' and mark not like '%"${to}"%'`,
    ),
    'alter table webhooks drop column topics',
  ],
};
