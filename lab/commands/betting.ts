// Follows the signals in the simulator.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab betting [--events 200] [--seed 1]

Over settled events of the simulator: are probabilities calibrated, does each class win as often as the model
said, and what becomes of a bettor who follows the signals, against a noisy crowd and a perfectly informed one?

examples:
  npx tallycast lab betting --seed 3`;

export const run = runProgram('lab/bench/trade-record.ts');
