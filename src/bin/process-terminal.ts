// The terminal of this process: its streams, environment and signals.

import type { Terminal } from '../cli/command.ts';
import { systemClock } from '../runtime/clock.ts';

const STOP_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 1_000;

export function openProcessTerminal(): Terminal {
  let stopping: AbortController | null = null;
  // A closed pipe (such as head) ends the command quietly.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (stopping) stopping.abort();
      else process.exit(0);
    });
  }
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
  const stop = () => controller.abort();
  // Exit even if something unexpected hangs.
  const exitInTime = () => void setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  // A terminal, npm and a process manager may each forward the same signal, so repeats are ignored.
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  controller.signal.addEventListener('abort', exitInTime, { once: true });
  // A script of npm may end its shell on purpose: tallycast start &
  if (process.env.npm_command === 'exec') stopWithoutStarter(stop);
  return controller;
}

/** npx does not pass SIGTERM on: it ends its shell, and the command would continue without either. */
function stopWithoutStarter(stop: () => void): void {
  const starterPid = Number(process.env.TALLYCAST_STARTER ?? process.ppid);
  setInterval(() => {
    if (!isRunning(starterPid)) stop();
  }, LOOK_EVERY_MS).unref();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
