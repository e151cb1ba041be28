// Starts the service as `npm start` does and waits for its first response.

import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from './bench.ts';
import { type Running, startCommand } from './processes.ts';

export interface StartedService {
  service: Running<string>;
  url: string;
  /** From spawning to the first response. */
  readyMs: number;
}

/** Resolves at the first response. */
export async function start(options: BenchOptions, dataDir: string): Promise<StartedService> {
  // Below the range the system assigns to outgoing connections.
  const port = 20_000 + (Math.floor(performance.now() * 7) % 12_000);
  const cache = { NODE_COMPILE_CACHE: join(options.scratchDir, 'compiled') };
  const startedMs = performance.now();
  const starting = startCommand(process.execPath, ['bin/tallycast.mjs', 'start'], {
    env: { ...cache, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    until: /^tallycast is running/,
  });
  const polling = new AbortController();
  starting.catch(() => polling.abort());
  await waitForAnswer(port, polling.signal);
  const readyMs = performance.now() - startedMs;
  return { service: await starting, url: `http://127.0.0.1:${port}`, readyMs };
}

async function waitForAnswer(port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isAnswering(port))) await wait(5);
}

function isAnswering(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const req = request({ port, host: '127.0.0.1', path: '/api/v1/meta/account_a' }, (res) => {
      res.resume();
      resolve(res.statusCode === 200);
    });
    req.on('error', () => resolve(false));
    req.end();
  });
}
