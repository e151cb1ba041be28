// Entry point for tallycast COMMAND. bin/tallycast.mjs starts it on the right Node version, with dependencies
// installed.

import { runTallycast } from '../cli/run.ts';
import { systemClock } from '../runtime/clock.ts';
import { openLab } from './lab.ts';
import { installLastWords } from './last-words.ts';

installLastWords();

const STOP_WITHIN_MS = 15_000;
let stopping: AbortController | null = null;

/** Handles signals only for commands that request the stop signal; others exit by default. */
function stopSignal(): AbortSignal {
  if (stopping) return stopping.signal;
  const controller = (stopping = new AbortController());
  const stop = () => {
    controller.abort();
    // Exit even if something unexpected hangs.
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  };
  // A terminal, npm and a process manager may each forward the same signal, so repeats are ignored.
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // A closed pipe (such as head) ends the command quietly.
  process.stdout.on('error', stop);
  return controller.signal;
}

const terminal = {
  env: process.env,
  clock: systemClock,
  output: process.stdout,
  notes: process.stderr,
  stopSignal,
};
process.exitCode = await runTallycast(process.argv.slice(2), terminal, openLab());
