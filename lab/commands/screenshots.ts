// Pictures of every page for the documentation.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab screenshots

Pictures of every page, from the real service on the simulator, into docs/img.`;

export const run = runProgram('scripts/screenshots.ts');
