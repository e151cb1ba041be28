// A usage row counts one request, or several identical requests within one second.

import type { Migration } from './migration.ts';

export const usageRequests: Migration = {
  version: 8,
  name: 'usage requests',
  statements: ({ integer }) => [`alter table usage add column requests ${integer} not null default 1`],
};
