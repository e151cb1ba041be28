// The fleet's promises, many times over.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab roles [--rounds 3] [--restarts 1] [--apis 3] [--readers 6] [--pro]

Leaders killed and PostgreSQL restarted under load: take-over time, exact counts, limits and revocation across
replicas. Exits 1 when a promise was broken.

examples:
  npx tallycast lab roles --rounds 50 --restarts 10 --pro`;

export const run = runProgram('lab/bench/roles.ts');
