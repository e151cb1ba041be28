// Shows that what is acknowledged is on the disk.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab durability [--commits 20]

Traces the system calls of the embedded store and shows that every commit is written to the log and synced to disk
before it is acknowledged, once per commit. Needs strace.

examples:
  npx tallycast lab durability --commits 50`;

export const run = runProgram('lab/bench/prove-durability.ts');
