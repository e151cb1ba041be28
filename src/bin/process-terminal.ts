// The terminal of this process: its streams, environment and signals.

import type { Terminal } from '../cli/command.ts';
import { systemClock } from '../runtime/clock.ts';

const STOP_WITHIN_MS = 15_000;

export function openProcessTerminal(): Terminal {
  let stopping: AbortController | null = null;
  return {
    env: process.env,
    clock: systemClock,
    output: process.stdout,
    notes: process.stderr,
    /** Handles signals only for commands that request the stop signal; others exit by default. */
    stopSignal() {
      stopping ??= stopOnSignals();
      return stopping.signal;
    },
  };
}

function stopOnSignals(): AbortController {
  const controller = new AbortController();
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
  return controller;
}
