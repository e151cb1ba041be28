// Reverts every fix of a past fault, and checks that its test fails.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab cures [--only TEXT]

Revert each past fix in a copy of this checkout and run its test: it must fail then, and pass with the fix. Exits 1
otherwise.

examples:
  npx tallycast lab cures
  npx tallycast lab cures --only listener`;

export const run = runProgram('lab/bench/prove-cures.ts');
