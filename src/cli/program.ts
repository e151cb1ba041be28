// Runs developer tools, which are separate programs in lab/bench/ and scripts/.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Command } from './command.ts';

const ROOT = new URL('../../', import.meta.url);

/** Runs it in the checkout with our streams; returns its exit code. */
export function runProgram(path: string): Command['run'] {
  return async (args) => {
    const file = fileURLToPath(new URL(path, ROOT));
    const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit', cwd: fileURLToPath(ROOT) });
    // A terminal signals both processes: the program decides how to end.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[signal!];
  };
}
