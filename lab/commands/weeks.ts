// Follows the service's advice over simulated weeks.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab weeks [--weeks 30] [--seed 1] [--crowd fitted]

Follow the service's whole advice over simulated weeks: predicted vs. observed per class, and the return with its
interval. Exits 1 where a class of 30 or more bets leaves its 90 % interval, or the return is below zero by more than its
interval.

examples:
  npx tallycast lab weeks --weeks 10`;

export const run = runProgram('lab/bench/weeks.ts');
