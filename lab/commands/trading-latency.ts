// Measures the time from a signal to an order on the book.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab trading-latency [--signals 100]

Advice, executor and simulated exchange on this machine over HTTP. Exits 1 when the 99th percentile is above 250 ms.

examples:
  npx tallycast lab trading-latency --signals 50`;

export const run = runProgram('lab/bench/trading/latency.ts');
