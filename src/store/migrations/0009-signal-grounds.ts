// Inputs to recorded signals, so that signals can be recomputed: prices are thinned after a few days, and
// inputs shared by an account's open events are not stored elsewhere.

import type { Migration } from './migration.ts';

export const signalGrounds: Migration = {
  version: 9,
  name: 'signal grounds',
  statements: ({ integer, key, bytes, tableEnd }) => [
    `create table signal_grounds (
      account_id ${key} not null,
      asof_ts ${integer} not null,
      content ${bytes} not null,
      primary key (account_id, asof_ts)
    )${tableEnd}`,
  ],
};
