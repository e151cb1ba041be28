// Undoes every cure of something that was once broken, and sees its test fail.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab cures [--only TEXT]

Undoes, in a copy of this checkout, each line that cured something an attacker or a bad day had found, and runs its test:
it must fail then, and pass with the cure in place. Exits 1 when one does not.

examples:
  npx tallycast lab cures
  npx tallycast lab cures --only listener`;

export const run = runProgram('lab/bench/prove-cures.ts');
