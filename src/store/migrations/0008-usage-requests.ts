// A row of usage stands for one request or for several alike of one second.

import type { Migration } from './migration.ts';

export const usageRequests: Migration = {
  version: 8,
  name: 'usage requests',
  statements: ({ integer }) => [`alter table usage add column requests ${integer} not null default 1`],
};
