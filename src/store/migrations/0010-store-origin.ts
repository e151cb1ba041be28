// Where a store's data comes from, so that simulated data is never served as live or mixed with live data.

import type { Migration } from './migration.ts';

export const storeOrigin: Migration = {
  version: 10,
  name: 'store origin',
  statements: ({ integer, key, tableEnd }) => [
    `create table store_origin (id ${integer} not null primary key, origin ${key} not null)${tableEnd}`,
  ],
};
