// Checks that alerts arrive in time and survive crashes.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab alerts [--keys 1000] [--rounds 6] [--posts 100] [--kills 50] [--hanging 5] [--engine sqlite]

Check alert delivery with ten rules per key on each engine and receivers on this machine: delay from post to receiver in
paired runs without and with hanging receivers, and repeated kill -9. Exits 1 when a p99 is over 2 s, hanging receivers delay
others significantly (p < 0.05), an alert is missing or has two ids, or one process sent one twice.

examples:
  npx tallycast lab alerts --keys 100 --rounds 2 --kills 5`;

export const run = runProgram('lab/bench/prove-alerts.ts');
