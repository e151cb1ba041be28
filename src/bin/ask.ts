// npx tallycast status|watch|events|forecast|signals|portfolio: questions to a running service.

import { runAsk } from '../cli/ask.ts';
import { readEnvironment } from '../config/env.ts';
import { systemClock } from '../runtime/clock.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  // A reader that has gone away (a pipe to head) ends the command, quietly.
  process.stdout.on('error', () => stop.abort());
  process.exitCode = await runAsk(argv, {
    env: readEnvironment(),
    clock: systemClock,
    output: process.stdout,
    tell: (text) => void process.stderr.write(`${text}\n`),
    signal: stop.signal,
  });
});
