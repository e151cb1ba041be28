// Watches the advice of the started program for changes without cause.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab steady [--minutes 60] [--seed 71]

Start the service on the simulator at normal speed, read its advice every 2 s and print every change with its cause.
Exits 1 on a change without cause or on more than one change per bucket and hour.

examples:
  npx tallycast lab steady --minutes 10`;

export const run = runProgram('lab/bench/steady.ts');
