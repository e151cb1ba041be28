// Contracts of additional venues have separate rules, and a rule may depend on the conversation of a reply.

import type { Migration } from './migration.ts';

export const contractTerms: Migration = {
  version: 11,
  name: 'contract terms',
  statements: () => [
    'alter table events add column terms text',
    'alter table posts add column conversation text',
  ],
};
