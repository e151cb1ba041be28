// Every attack at once, from twenty addresses.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab siege [--minutes 3] [--only NAME]

Attack the service of npm start from twenty loopback addresses at once: silent connections, MCP batches, guessed keys, forged
payments, PRO keys requesting ladders on 40 connections, unresolvable webhooks and posts from the future. --only 'calls of one
key' runs one attack, --only none runs none. Prints another caller's latency, capture delay, memory and stale feeds; exits 1
beyond 250 ms (p99), 1.5 s or 1 GB, on an unanswered call of the other caller, or on a stale feed.

examples:
  npx tallycast lab siege --minutes 10`;

export const run = runProgram('lab/bench/prove-siege.ts');
