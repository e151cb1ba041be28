// Hostile requests over raw sockets.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab fuzz-http [--requests 5000] [--seed 1] [--connections 400] [--wait-ms 3000]

Send hostile requests over raw sockets and expect no crash, no long stall and no 5xx except 503 with Retry-After. Exits 1
otherwise.

examples:
  npx tallycast lab fuzz-http --requests 200000`;

export const run = runProgram('lab/bench/fuzz-http.ts');
