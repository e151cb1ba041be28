// A recorded signal's edge kind and win probability.

import type { Migration } from './migration.ts';

export const edgeKinds: Migration = {
  version: 12,
  name: 'edge kinds',
  statements: ({ text, real }) => [
    `alter table signals add column edge_kind ${text}`,
    `alter table signals add column win_probability ${real}`,
  ],
};
