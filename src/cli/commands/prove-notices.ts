// Shows that notices leave in time and arrive whatever dies.

import { runProgram } from '../program.ts';

export const usage = `usage: npx tallycast prove-notices [--keys 1000] [--posts 200] [--kills 50] [--hanging 5] [--engine sqlite]

Ten rules for each key on a real store of each engine, and receivers on this machine: how soon a post's notices arrive,
the same beside receivers that hang (posts in whole hundreds, an event each, make the two alike), and kill -9 again and
again while posts come. Exits 1 when the 99th percentile is over 2 s, a notice is missing, one came under two ids, or one
process sent the same one twice.

examples:
  npx tallycast prove-notices --keys 100 --kills 5`;

export const run = runProgram('bench/prove-notices.ts');
