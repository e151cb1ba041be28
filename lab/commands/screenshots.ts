// Takes pictures of every page for the documentation.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab screenshots

Take screenshots of every page of the service on the simulator, into docs/img.`;

export const run = runProgram('scripts/screenshots.ts');
