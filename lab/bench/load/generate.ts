// Runs the load generator in a separate process and returns its results.

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasCommand, ROOT, readCpuNs } from '../core/processes.ts';

export interface LoadResult {
  requests: number;
  seconds: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  perSecond: number;
  /** CPU time of the given processes per request; NaN if none are given. */
  cpuUs: number;
}

/** Open-loop results, including refusals. */
export interface OfferedLoadResult extends LoadResult {
  /** 2xx and 304 responses, timed from when each request was due. */
  good: number;
  statuses: Readonly<Record<string, number>>;
  /** 429 and 503 with Retry-After. */
  retryAfters: number;
  /** Connections closed with a request pending. */
  broken: number;
  /** Requests that were due but found no free connection before the end. */
  unsent: number;
}

export interface Load {
  port: number;
  /** Raw requests, sent in rotation. */
  requests: readonly string[];
  connections?: number;
  seconds: number;
  /** Processes to include in the CPU time. */
  pids?: readonly number[];
}

export interface OfferedLoad extends Load {
  /** Requests per second, regardless of how fast the server responds. */
  perSecond: number;
  /** Opens a new connection for each request. */
  isFresh?: boolean;
}

const run = promisify(execFile);
let built: string | null | undefined;
let files = 0;

/**
 * Uses the C version if there is a compiler, because the generator shares two cores with the service under
 * test.
 */
function build(scratchDir: string): string | null {
  if (built !== undefined) return built;
  const compiler = ['cc', 'gcc', 'clang'].find(hasCommand);
  built = null;
  if (compiler) {
    const program = join(scratchDir, 'load');
    if (!existsSync(program))
      execFileSync(compiler, ['-O2', '-o', program, join(ROOT, 'lab/bench/load/load.c')]);
    built = program;
  }
  return built;
}

/**
 * Closed loop: every connection sends its next request once it gets a response; a failed request fails the
 * bench.
 */
export async function generateLoad(scratchDir: string, load: Load): Promise<LoadResult> {
  const program = build(scratchDir);
  const [command, first] = program
    ? [program, []]
    : [process.execPath, [join(ROOT, 'lab/bench/load/load-client.ts')]];
  const seen = await runClient<LoadResult>(command, [...first, ...listArguments(scratchDir, load)], load);
  if (seen.failed > 0) throw new Error(`${seen.failed} of ${seen.requests} requests failed`);
  return seen;
}

/**
 * Open loop at a fixed rate. Only the C generator is fast enough to share the cores with the service under
 * test.
 */
export async function offerLoad(scratchDir: string, load: OfferedLoad): Promise<OfferedLoadResult> {
  const program = build(scratchDir);
  if (!program) throw new Error('a fixed rate needs a C compiler for the load generator');
  const args = [...listArguments(scratchDir, load), String(load.perSecond), load.isFresh ? 'fresh' : 'kept'];
  return runClient<OfferedLoadResult>(program, args, load);
}

function listArguments(scratchDir: string, load: Load): string[] {
  const file = join(scratchDir, `requests-${++files}`);
  writeFileSync(file, load.requests.join('\0'), 'latin1');
  return [String(load.port), String(load.connections ?? 32), String(load.seconds), file];
}

async function runClient<T extends LoadResult>(
  command: string,
  args: readonly string[],
  { pids = [] }: Load,
): Promise<T> {
  const cpu = () => pids.reduce((sum, pid) => sum + readCpuNs(pid), 0);
  const beforeNs = cpu();
  const { stdout } = await run(command, [...args]);
  const usedNs = cpu() - beforeNs;
  const seen = JSON.parse(stdout) as T;
  return {
    ...seen,
    perSecond: seen.requests / seen.seconds,
    cpuUs: pids.length === 0 ? Number.NaN : usedNs / 1000 / seen.requests,
  };
}

export function rawRequest(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ Host: '127.0.0.1', Accept: '*/*', ...headers });
  return `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
