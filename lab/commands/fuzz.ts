// Mutated inputs to every parser.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab fuzz [--inputs 10000] [--seed 1] [--only NAME] [--jobs 1] [--resume FILE]

So many mutated inputs to each parser of the outside world (a hundredth to that of backups), or to those whose names contain
NAME; nothing may throw unforeseen or stall. Exits 1 when something did. --jobs N tries so many parsers at once, --resume FILE
keeps there what is done and goes on after it.

examples:
  npx tallycast lab fuzz --inputs 1000000 --jobs 2 --resume fuzz.jsonl`;

export const run = runProgram('lab/bench/fuzz.ts');
