// Measures forecasts under two counting rules over simulated weeks.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab rule-weeks [--weeks 100] [--seed 5]

An account that deletes a fifth of its posts: weekly forecasts where deleted posts count and where they do not, and where
the results fell in them. Exits 1 when either is farther from uniform than chance allows (99 %).

examples:
  npx tallycast lab rule-weeks --weeks 20`;

export const run = runProgram('lab/bench/rules/rule-weeks.ts');
