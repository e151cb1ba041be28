// Runs the load generator in a process of its own and hands back what it saw.

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
  /** Of the processes given, per request; NaN without. */
  cpuUs: number;
}

export interface Load {
  port: number;
  /** Raw requests, taken in turn. */
  requests: readonly string[];
  connections?: number;
  seconds: number;
  /** Processes whose CPU time is charged to the requests. */
  pids?: readonly number[];
}

const run = promisify(execFile);
let built: string | null | undefined;
let files = 0;

/** C where a compiler is, because the generator shares two cores with what it measures. */
function build(scratchDir: string): string | null {
  if (built !== undefined) return built;
  const compiler = ['cc', 'gcc', 'clang'].find(hasCommand);
  built = null;
  if (compiler) {
    const program = join(scratchDir, 'load');
    if (!existsSync(program)) execFileSync(compiler, ['-O2', '-o', program, join(ROOT, 'bench/load/load.c')]);
    built = program;
  }
  return built;
}

export async function generateLoad(scratchDir: string, load: Load): Promise<LoadResult> {
  const program = build(scratchDir);
  const file = join(scratchDir, `requests-${++files}`);
  writeFileSync(file, load.requests.join('\0'), 'latin1');
  const args = [String(load.port), String(load.connections ?? 32), String(load.seconds), file];
  const pids = load.pids ?? [];
  const cpu = () => pids.reduce((sum, pid) => sum + readCpuNs(pid), 0);
  const beforeNs = cpu();
  const { stdout } = program
    ? await run(program, args)
    : await run(process.execPath, [join(ROOT, 'bench/load/load-client.ts'), ...args]);
  const usedNs = cpu() - beforeNs;
  const seen = JSON.parse(stdout) as Omit<LoadResult, 'perSecond' | 'cpuUs'>;
  if (seen.failed > 0) throw new Error(`${seen.failed} of ${seen.requests} requests were not answered well`);
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
