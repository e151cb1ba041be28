// Compares the simulator's market with real ladders.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab market [--seeds 4] [--weeks 20] [--account a] [--crowd fitted]
                              [--prices FILE --outcomes FILE --posts FILE ...]

By hours before the end: distance between model and prices, sum of mids, favourite, log scores. With files of real
ladders their figures are computed as well.

examples:
  npx tallycast lab market --seeds 2 --weeks 10`;

export const run = runProgram('lab/bench/market.ts');
