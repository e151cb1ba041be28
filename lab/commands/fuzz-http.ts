// Hostile requests over raw sockets.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab fuzz-http [--requests 5000] [--seed 1] [--connections 400] [--wait-ms 3000]

Hostile requests over raw sockets: no crash, no long stall, no 5xx but 503 with Retry-After. Exits 1 when there was one.

examples:
  npx tallycast lab fuzz-http --requests 200000`;

export const run = runProgram('lab/bench/fuzz-http.ts');
