// Imports a huge history file with bad lines.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab import-lines [--lines 1000000]

Import a history file of this many lines, some bad or repeated, into an embedded store. Each of those must be reported and
skipped, every other imported, with flat memory. Exits 1 otherwise.

examples:
  npx tallycast lab import-lines --lines 10000000`;

export const run = runProgram('lab/bench/prove-import.ts');
