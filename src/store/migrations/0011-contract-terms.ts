// Contracts on additional venues have separate rules, and a rule may depend on a reply's conversation.

import type { Migration } from './migration.ts';

export const contractTerms: Migration = {
  version: 11,
  name: 'contract terms',
  statements: () => [
    'alter table events add column terms text',
    'alter table posts add column conversation text',
  ],
};
