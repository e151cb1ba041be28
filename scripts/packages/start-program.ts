// Starts a program that runs until stopped, and waits for the line that says it is ready.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { RunOptions } from './run-program.ts';

export interface RunningProgram {
  /** What the pattern matched. */
  match: RegExpExecArray;
  stop(): Promise<void>;
}

const START_MS = 120_000;
const STOP_MS = 60_000;

export async function startProgram(
  [program, ...args]: readonly string[],
  ready: RegExp,
  { cwd, env }: RunOptions = {},
): Promise<RunningProgram> {
  const child = spawn(program!, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(() => null);
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(timer);
  };
  const match = await Promise.race([readUntil(child.stdout, ready), ended, afterMs(START_MS)]);
  if (match) return { match, stop };
  await stop();
  throw new Error(`${program} ${args.join(' ')} did not start`);
}

function readUntil(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) =>
    createInterface({ input: stream }).on('line', (line) => {
      const match = pattern.exec(line);
      if (match) resolve(match);
    }),
  );
}

function afterMs(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms).unref());
}
