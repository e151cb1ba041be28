// Fills the disk at every write.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab disk-full [--large 400] [--service 20] [--seed 1]

Fills the disk at every write that the embedded store makes, then under the whole service again and again. Exits 1
with the reason when anything was lost, harmed or unclear. Needs a C compiler.

examples:
  npx tallycast lab disk-full --large 50 --service 5`;

export const run = runProgram('lab/bench/prove-disk-full.ts');
