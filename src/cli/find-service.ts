// Finds the service on this machine for a program that needs one, and starts one if there is none.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { StartError } from '../runtime/errors.ts';
import { note, type Terminal } from './command.ts';

export interface FoundService {
  url: string;
  /** Stops the service if it was started here. */
  stop(): Promise<void>;
}

const DEFAULT_PORT = '8080';
const PROBE_MS = 2_000;
const START_MS = 120_000;

export async function findOrStartService(
  settings: readonly string[],
  terminal: Terminal,
): Promise<FoundService> {
  const url = `http://127.0.0.1:${terminal.env.PORT || DEFAULT_PORT}`;
  const found = await probe(url);
  if (found === 'service') return { url, stop: async () => {} };
  // Another program has the usual port.
  const port = found === 'stranger' ? ['--port', '0'] : [];
  return startService([...port, ...chooseFolder(settings, terminal.env), ...settings], terminal);
}

async function probe(url: string): Promise<'service' | 'stranger' | 'nothing'> {
  try {
    const response = await fetch(`${url}/api/v1/health`, { signal: AbortSignal.timeout(PROBE_MS) });
    const body = (await response.json()) as { feeds?: unknown };
    return body.feeds === undefined ? 'stranger' : 'service';
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code === 'ECONNREFUSED' ? 'nothing' : 'stranger';
  }
}

/** Agents start their tools in any folder, also in one that cannot be written. */
function chooseFolder(settings: readonly string[], env: Terminal['env']): string[] {
  const isChosen = env.DATA_DIR || settings.some((word) => /^--data-dir(=|$)/.test(word));
  const home = env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local/share');
  return isChosen ? [] : ['--data-dir', join(home, 'tallycast')];
}

async function startService(args: readonly string[], terminal: Terminal): Promise<FoundService> {
  note(terminal, 'No service is running here; starting one ...');
  const child = spawn(process.execPath, [process.argv[1]!, 'start', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    return { url: await readAddress(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readAddress(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const url = /^tallycast is running: (\S+)/.exec(line)?.[1];
    if (url) resolve(url);
  });
  child.once('exit', (code) => reject(new StartError(`the service did not start (exit code ${code})`)));
  const deadline = AbortSignal.timeout(START_MS);
  deadline.addEventListener('abort', () =>
    reject(new StartError('the service did not start in two minutes')),
  );
  return promise;
}

/** Returns null on a service with live sources, which has no demo key. */
export async function requestDemoKey(url: string): Promise<string | null> {
  const request = { method: 'POST', redirect: 'error', signal: AbortSignal.timeout(PROBE_MS) } as const;
  const response = await fetch(`${url}/demo-key`, request).catch(() => null);
  if (!response?.ok) return null;
  const answer = (await response.json().catch(() => null)) as { data?: { key?: string } } | null;
  return answer?.data?.key ?? null;
}
