// Follows the signals in the simulator.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab betting [--events 200] [--seed 1]

Follow the signals over settled events of the simulator, against an easy and an informed crowd: calibration, win rates by
class, and the bettor's return.

examples:
  npx tallycast lab betting --seed 3`;

export const run = runProgram('lab/bench/trade-record.ts');
