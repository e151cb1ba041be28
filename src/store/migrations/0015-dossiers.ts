// For dossiers: the oracle's posts with their import times, and the key that this instance signs with.

import type { Migration } from './migration.ts';

export const dossiers: Migration = {
  version: 15,
  name: 'dossiers',
  statements: ({ integer, key, text, tableEnd }) => [
    `create table oracle_posts (
      account_id ${key} not null,
      post_id ${key} not null,
      created_ts ${integer} not null,
      imported_ts ${integer},
      listed_ts ${integer} not null,
      primary key (account_id, post_id)
    )${tableEnd}`,
    'create index oracle_posts_by_time on oracle_posts (account_id, created_ts)',
    `create table instance_keys (
      id ${integer} not null primary key,
      public_key ${text} not null,
      private_key ${text} not null,
      created_ts ${integer} not null
    )${tableEnd}`,
  ],
};
