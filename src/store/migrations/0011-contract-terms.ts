// Contracts of further venues carry their own rule, and a rule may ask in whose conversation a reply stands.

import type { Migration } from './migration.ts';

export const contractTerms: Migration = {
  version: 11,
  name: 'contract terms',
  statements: () => [
    'alter table events add column terms text',
    'alter table posts add column conversation text',
  ],
};
