// Undoes every cure of something that was once broken, and sees its test fail.

import { runProgram } from '../program.ts';

export const usage = `usage: npx tallycast prove-cures [--only TEXT]

Undoes, in a copy of this checkout, each line that cured something an attacker or a bad day had found, and runs its test:
it must fail then, and pass with the cure in place. Exits 1 when one does not.

examples:
  npx tallycast prove-cures
  npx tallycast prove-cures --only listener`;

export const run = runProgram('lab/bench/prove-cures.ts');
