// The forecast log: unsealed entries, sealed hours, and the head of the log.

import type { Migration } from './migration.ts';

export const seals: Migration = {
  version: 13,
  name: 'seals',
  statements: ({ integer, text, key, bytes, tableEnd }) => [
    `create table log_entries (
      seq ${integer} not null primary key,
      hour_ts ${integer} not null,
      entry ${text} not null
    )${tableEnd}`,
    `create table seals (
      hour_ts ${integer} not null primary key,
      first_seq ${integer} not null,
      size ${integer} not null,
      root ${text} not null,
      previous ${text} not null,
      chain ${text} not null,
      entries ${bytes} not null
    )${tableEnd}`,
    // One row: the next number, earliest open hour, newest chain hash and a digest of unsealed entries.
    `create table log_head (
      id ${integer} not null primary key,
      next_seq ${integer} not null,
      open_hour_ts ${integer} not null,
      chain ${text} not null,
      running ${text} not null
    )${tableEnd}`,
    `create table seal_anchors (
      hour_ts ${integer} not null,
      anchor ${key} not null,
      chain ${text} not null,
      anchored_ts ${integer} not null,
      primary key (hour_ts, anchor)
    )${tableEnd}`,
  ],
};
