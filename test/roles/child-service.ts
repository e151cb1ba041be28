// One process of the fleet, started from its entry file and observed through its log.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../support/child-environment.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface ChildService {
  readonly name: string;
  readonly child: ChildProcess;
  /** null for an ingest-only process. */
  readonly url: string | null;
  /** The process's current ingest epoch; null while on standby. */
  epoch(): number | null;
  readonly warnings: string[];
  kill(signal: NodeJS.Signals): void;
  /** Asks the process to stop, and sends SIGKILL after a timeout. */
  stop(withinMs?: number): Promise<void>;
}

export interface ChildOptions {
  name: string;
  args: readonly string[];
  env: Record<string, string>;
  onLeading?: (epoch: number) => void;
}

/** Resolves when the process reports that it is up. */
export async function startService(options: ChildOptions): Promise<ChildService> {
  const child = spawn(process.execPath, [join(ROOT, 'src/bin/tallycast.ts'), 'start', ...options.args], {
    env: childEnvironment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const up = Promise.withResolvers<void>();
  const warnings: string[] = [];
  const said: string[] = [];
  let epoch: number | null = null;
  let url: string | null = null;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const service: ChildService = {
    name: options.name,
    child,
    get url() {
      return url;
    },
    epoch: () => (isRunning() ? epoch : null),
    warnings,
    kill: (signal) => void child.kill(signal),
    stop: (withinMs = 15_000) => stopChild(child, withinMs),
  };

  function read(line: string): void {
    const started = /^tallycast is running(?:: (\S+))?/.exec(line);
    if (started) {
      url = started[1] ?? null;
      up.resolve();
    }
    if (!line.startsWith('{')) {
      said.push(line);
      return;
    }
    const entry = JSON.parse(line) as { level: number; msg: string; epoch?: number };
    if (entry.level >= 40) warnings.push(line);
    if (entry.msg === 'leadership lost' || entry.msg.startsWith('ingestion stopped')) epoch = null;
    if (entry.msg === 'ingest leader') {
      epoch = entry.epoch!;
      options.onLeading?.(epoch);
    }
  }

  for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', read);
  child.once('exit', (code, signal) => {
    up.reject(new Error(`${options.name} ended: ${code ?? signal}\n${[...warnings, ...said].join('\n')}`));
  });
  await up.promise;
  return service;
}

async function stopChild(child: ChildProcess, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // A paused process cannot react to the stop signal.
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
  await exited;
  clearTimeout(timer);
}
