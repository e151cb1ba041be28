// Trades through faults and kills on the simulated exchange and compares the books after every restart.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab trading-days [--days 200] [--kills 50] [--seed 1]

The executor as a separate process on the simulated exchange: seeded days with faults that come and go and a rival that is
sometimes faster, and kill -9 in the middle of its requests. After each restart and at the end of each day cash, positions
and open orders must equal the exchange's; no cap may be passed, no order doubled, and no order may live a minute after the
heartbeats stopped. Exits 1 when anything is wrong.

examples:
  npx tallycast lab trading-days --days 10 --kills 5`;

export const run = runProgram('lab/bench/trading/days.ts');
