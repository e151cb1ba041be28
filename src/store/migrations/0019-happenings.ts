// Published advice, price jumps and counts that disagreed.

import type { Migration } from './migration.ts';

export const happenings: Migration = {
  version: 19,
  name: 'happenings',
  statements: ({ integer, key, text, tableEnd }) => [
    `create table if not exists happenings (
      account_id ${key} not null,
      event_id ${integer} not null,
      kind ${key} not null,
      bucket_label ${key} not null,
      from_ts ${integer} not null,
      ended_ts ${integer},
      changed_ts ${integer} not null,
      content ${text} not null,
      primary key (event_id, kind, bucket_label, from_ts)
    )${tableEnd}`,
    'create index if not exists happenings_by_change on happenings (account_id, changed_ts)',
    'create index if not exists happenings_by_start on happenings (account_id, kind, from_ts)',
  ],
};
