// Mutated inputs to every parser.

import { runProgram } from '../program.ts';

export const usage = `usage: npx tallycast fuzz [--inputs 100000] [--seed 1]

Mutated inputs to every parser; nothing may throw unforeseen or stall. Exits 1 when something did.

examples:
  npx tallycast fuzz --inputs 1000000`;

export const run = runProgram('bench/fuzz.ts');
