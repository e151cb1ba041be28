// Size of the code base before and after.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab house [REVISION]

Print lines, settings, commands, words of docs, circles inside rooms and marked words of REVISION (default: the last one
before the simplification) and of this checkout, measured by the same code.`;

export const run = runProgram('scripts/measure-house.ts');
