// Mutated inputs to every parser.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab fuzz [--inputs 10000] [--seed 1] [--only NAME] [--jobs 1] [--resume FILE]

Send this many mutated inputs to each parser (a hundredth to the backup parser), or to those with NAME in their name. Exits
1 on an unexpected error or a stall. --jobs N runs N parsers at once; --resume FILE stores progress and continues from it.

examples:
  npx tallycast lab fuzz --inputs 1000000 --jobs 2 --resume fuzz.jsonl`;

export const run = runProgram('lab/bench/fuzz.ts');
