// Compares paper trading with the same trades on the simulated exchange.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab trading-parity [--days 100] [--seed 1]

The same advice on paper and on the simulated exchange, each with its own simulator of the same seed. Exits 1 when paper's
profit differs by more than 10 % or is above the exchange's by more than chance.

examples:
  npx tallycast lab trading-parity --days 20`;

export const run = runProgram('lab/bench/trading/paper-parity.ts');
