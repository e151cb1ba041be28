// The tests, all or some.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab test [PATH...] [--changed[=REF]] [flags of node --test]

Runs every test, or those whose path begins with one of the words: SQLite, PostgreSQL, a real browser, the pretend
simulator. Ends with a line that says how many ran, on what, and how long it took.

  --changed       only tests that a change since main (or REF) touches, by the imports

examples:
  npm test
  npm test -- src/trade test/api
  npm test -- --changed`;

export const run = runProgram('scripts/test.ts');
