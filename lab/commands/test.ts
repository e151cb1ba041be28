// Runs all or some tests.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab test [PATH...] [--changed[=REF]] [flags of node --test]

Run every test, or those with these path prefixes: SQLite, PostgreSQL, a real browser, the simulator. The last line has the
counts, versions and time.

  --changed       only tests affected by changes since main (or REF)

examples:
  npm test
  npm test -- src/trade test/api
  npm test -- --changed`;

export const run = runProgram('scripts/test.ts');
