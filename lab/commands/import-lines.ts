// A huge history file with wrong lines among its lines.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab import-lines [--lines 1000000]

Imports a history file of that many lines, with wrong and repeated ones among them, into an embedded store: each of them is
told by its number and not taken, every other is, and memory does not grow with the file. Exits 1 otherwise.

examples:
  npx tallycast lab import-lines --lines 10000000`;

export const run = runProgram('lab/bench/prove-import.ts');
