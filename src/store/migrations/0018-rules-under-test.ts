// Rules under test, their paper bets, and what a faster source would have been worth in each event.

import type { Migration } from './migration.ts';

export const rulesUnderTest: Migration = {
  version: 18,
  name: 'rules under test',
  statements: ({ integer, real, key, text, tableEnd }) => [
    `create table if not exists trials (
      hash ${key} not null primary key,
      rule_name ${key} not null,
      definition ${text} not null,
      parameters ${text} not null,
      events_needed ${integer} not null,
      registered_ts ${integer} not null,
      status ${key} not null,
      decided_ts ${integer}
    )${tableEnd}`,
    `create table if not exists trial_bets (
      rule_hash ${key} not null,
      event_id ${integer} not null,
      bucket_label ${key} not null,
      slot ${integer} not null,
      account_id ${key} not null,
      side ${key} not null,
      asof_ts ${integer} not null,
      end_ts ${integer} not null,
      price ${real} not null,
      spread_cost ${real} not null,
      said ${real} not null,
      is_recomputed ${integer} not null,
      won ${integer},
      pnl ${real},
      settled_ts ${integer},
      primary key (rule_hash, event_id, bucket_label, slot)
    )${tableEnd}`,
    'create index if not exists trial_bets_by_event on trial_bets (event_id)',
    `create table if not exists speed_worths (
      event_id ${integer} not null primary key,
      account_id ${key} not null,
      measured_ts ${integer} not null,
      worth ${text} not null
    )${tableEnd}`,
  ],
};
