// Every attack at once, from twenty addresses.

import { runProgram } from '../program.ts';

export const usage = `usage: npx tallycast prove-siege [--minutes 3]

Silent connections, batches and guessed keys at /mcp, worthless payments, one greedy PRO key, webhooks at names that never
resolve and posts from the future, all at once from twenty loopback addresses against the service of npm start. Tells how
another caller fares, the capture delay, memory and dark feeds; exits 1 beyond 250 ms (p99), 1.5 s, 1 GB or any dark feed.

examples:
  npx tallycast prove-siege --minutes 10`;

export const run = runProgram('bench/prove-siege.ts');
