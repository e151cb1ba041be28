// Scenarios: long runs that compare the service with the simulator's ground truth.

import type { CommandEntry } from '../../src/cli/command.ts';
import { toEntry } from './program-entry.ts';

export const SCENARIOS: readonly CommandEntry[] = [
  {
    name: 'storm',
    summary: 'run a seeded failure scenario',
    load: () => import('./storm.ts'),
  },
  toEntry({
    name: 'trading-days',
    summary: 'trade through faults and kills; compare the books with the exchange',
    script: 'lab/bench/trading/days.ts',
    usage: `[--venue polymarket|kalshi] [--days 200] [--kills 50] [--seed 1] | --scripts 1000

Run the executor as a separate process on the simulated exchange: seeded days with intermittent faults, a rival that is
sometimes faster, and kill -9 in the middle of requests. After each restart and at the end of each day, cash, positions
and open orders must match the exchange; no cap may be exceeded, no order duplicated, and no order may stay open long
after the executor died. After each turn, cash, positions at the market and profit in the report must add up. Exits 1
otherwise.

examples:
  npx tallycast lab trading-days --venue kalshi --days 10 --kills 5`,
  }),
  toEntry({
    name: 'fuzz',
    summary: 'send mutated inputs to every parser',
    script: 'lab/bench/fuzz.ts',
    usage: `[--inputs 10000] [--seed 1] [--only NAME]

Send the given number of mutated inputs to each parser (1% of it to the backup parser), or only to parsers matching NAME.
Exits 1 on an unexpected error or a stall.

examples:
  npx tallycast lab fuzz --inputs 1000000`,
  }),
];
