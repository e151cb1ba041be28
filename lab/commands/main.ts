// Entry point for tallycast lab NAME, and for NAME alone. The package ships without it.

import { openProcessTerminal } from '../../src/bin/process-terminal.ts';
import { runTallycast } from '../../src/cli/run.ts';
import { installLastWords } from '../../src/runtime/errors.ts';
import { LAB } from './all-lab-commands.ts';

installLastWords();
process.exitCode = await runTallycast(process.argv.slice(2), openProcessTerminal(), LAB);
