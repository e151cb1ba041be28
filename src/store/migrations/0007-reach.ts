// Alerts: a key's rules, the alerts they triggered, the state at the last evaluation, and receivers other
// than webhooks.

import type { Migration } from './migration.ts';

export const reach: Migration = {
  version: 7,
  name: 'reach',
  statements: ({ integer, real, key, text, tableEnd }) => [
    // A receiver is a webhook, a chat or a browser. One table, so that one queue delivers to all of them.
    `alter table webhooks add column kind ${text} not null default 'webhook'`,
    `alter table webhooks add column label ${text} not null default ''`,
    `alter table webhooks add column link_code ${key}`,
    `alter table webhooks add column link_expires_ts ${integer}`,
    'create index webhooks_linking on webhooks (link_code) where link_code is not null',
    `create table rules (
      rule_id ${key} not null primary key,
      key_id ${key} not null,
      kind ${text} not null,
      account_id ${text},
      event_id ${integer},
      threshold ${real},
      channel_ids ${text} not null,
      quiet ${text},
      most_per_hour ${integer} not null,
      created_ts ${integer} not null
    )${tableEnd}`,
    'create index rules_by_key on rules (key_id)',
    `create table rules_revision (
      id ${integer} not null primary key,
      revision ${integer} not null
    )${tableEnd}`,
    `create table notices (
      notice_id ${key} not null primary key,
      key_id ${key} not null,
      kind ${text} not null,
      what ${text} not null,
      account_id ${text},
      event_id ${integer},
      title ${text} not null,
      body ${text} not null,
      link ${text} not null,
      data ${text} not null,
      rule_ids ${text} not null,
      happened_ts ${integer} not null,
      created_ts ${integer} not null,
      due_ts ${integer}
    )${tableEnd}`,
    'create index notices_by_key on notices (key_id, created_ts, notice_id)',
    'create index notices_by_age on notices (created_ts)',
    'create index notices_due on notices (due_ts)',
    `create table watch_marks (
      account_id ${key} not null primary key,
      mark ${text} not null
    )${tableEnd}`,
  ],
};
