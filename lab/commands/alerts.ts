// Shows that notices leave in time and arrive whatever dies.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab alerts [--keys 1000] [--rounds 6] [--posts 100] [--kills 50] [--hanging 5] [--engine sqlite]

Ten rules for each key on a real store of each engine, and receivers on this machine: how soon a post's notices arrive in
pairs of alike stretches of so many posts, one without and one with receivers that hang, in turn; whether those who answer
are told later beside the others, and how likely chance alone makes that difference; and kill -9 again and again while
posts come. Exits 1 when a 99th percentile is over 2 s, receivers that hang delay the others measurably (less than 5 times
in 100 by chance), a notice is missing, one came under two ids, or one process sent the same one twice.

examples:
  npx tallycast lab alerts --keys 100 --rounds 2 --kills 5`;

export const run = runProgram('lab/bench/prove-alerts.ts');
