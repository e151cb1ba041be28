// Checks that acknowledged data is on the disk.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab durability [--commits 20]

Trace the embedded store's system calls and check that every commit is synced to disk once before it is acknowledged. Needs
strace.

examples:
  npx tallycast lab durability --commits 50`;

export const run = runProgram('lab/bench/prove-durability.ts');
