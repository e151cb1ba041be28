// Tests the fleet guarantees repeatedly.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab roles [--rounds 3] [--restarts 1] [--apis 3] [--readers 6] [--pro]

Kill leaders and restart PostgreSQL under load; check takeover time, exact counts, limits and revocation across replicas.
Exits 1 on a violation.

examples:
  npx tallycast lab roles --rounds 50 --restarts 10 --pro`;

export const run = runProgram('lab/bench/roles.ts');
