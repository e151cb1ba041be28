// A trader's questions, answered through the agent tools.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab agents

Answer ten questions of a trader through the agent tools on the simulator, compare each answer with the interface, and
count tokens. Exits 1 on a difference.`;

export const run = runProgram('lab/bench/agents.ts');
