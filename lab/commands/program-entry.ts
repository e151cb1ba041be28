// A lab tool that runs as a separate program.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Command, CommandEntry } from '../../src/cli/command.ts';

const ROOT = new URL('../../', import.meta.url);

interface Program {
  name: string;
  summary: string;
  script: string;
  /** Options after the name, then a description. */
  usage: string;
}

export function toEntry({ script, usage, ...entry }: Program): CommandEntry {
  const command = { usage: `usage: npx tallycast lab ${entry.name} ${usage}`, run: runProgram(script) };
  return { ...entry, load: async () => command };
}

/** Runs the program in the checkout with inherited streams and returns its exit code. */
export function runProgram(path: string): Command['run'] {
  return async (args) => {
    const file = fileURLToPath(new URL(path, ROOT));
    const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit', cwd: fileURLToPath(ROOT) });
    // Ctrl-C signals both processes; let the program decide how to exit.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[signal!];
  };
}
