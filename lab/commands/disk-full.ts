// Fills the disk at every write.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab disk-full [--large 400] [--service 20] [--seed 1]

Fill the disk at every write of the embedded store, then repeatedly under the whole service. Exits 1 with the reason when
data was lost or damaged, or an error was unclear. Needs a C compiler.

examples:
  npx tallycast lab disk-full --large 50 --service 5`;

export const run = runProgram('lab/bench/prove-disk-full.ts');
