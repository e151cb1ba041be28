// Every attack at once, from twenty addresses.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab siege [--minutes 3] [--only NAME]

Silent connections, batches and guessed keys at /mcp, forged payments, one PRO key after the other that asks for ladders on 40
connections, webhooks at names whose server never answers and posts from the future, all at once from twenty loopback addresses
against the service of npm start; --only 'calls of one key' is one of them alone, --only none no attack. Tells how another caller
fares, the capture delay, memory and dark feeds; exits 1 beyond 250 ms (p99), 1.5 s, 1 GB, with any call of the other caller
not answered or any dark feed.

examples:
  npx tallycast lab siege --minutes 10`;

export const run = runProgram('lab/bench/prove-siege.ts');
