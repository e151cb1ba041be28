// Entry point for tallycast COMMAND. bin/tallycast.mjs starts it on the right Node version, with dependencies
// installed.

import { runTallycast } from '../cli/run.ts';
import { installLastWords } from '../runtime/errors.ts';
import { openProcessTerminal } from './process-terminal.ts';

installLastWords();
process.exitCode = await runTallycast(process.argv.slice(2), openProcessTerminal());
