// Weeks of the simulator with every fault, and the counts compared with its truth.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab counts [--days 30] [--speed 1800] [--seed 71] [options]

Run weeks of simulated time as real processes with every fault and kill -9 every few minutes, then compare every event's
count with the simulator's. Exits 1 with reasons on any difference.

  --lead KIND   leading post sources of accounts A (X) and B (a Mastodon server):
                x (polled; B by the oracle), push (pushed), mastodon (A by the oracle), oracle (both), twitterapi, rss,
                archive (history of twitterapi.io and RSS), platform (X and Mastodon, half of the processes pushed),
                mirror (twitterapi.io and RSS, both cut off in turn), all (every one of them, the first cut off in turn)

examples:
  npx tallycast lab counts --days 3
  npx tallycast lab counts --days 3 --lead oracle`;

export const run = runProgram('lab/bench/prove-counts.ts');
