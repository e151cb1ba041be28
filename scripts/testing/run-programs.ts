// Runs test programs under `node --test` until they finish or a signal aborts, and reads the report.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fixedTimeEnvironment } from '../../test/support/fixed-time.ts';
import { PROGRAM_LIMIT_MS } from './plan.ts';
import { killTree } from './process-tree.ts';
import { parseReport, type Report } from './totals-reporter.ts';

export interface RunOptions {
  atOnce: number;
  /** Folder for the reporter's file. */
  folder: string;
  /** Additional flags for `node --test`. */
  flags: readonly string[];
  nodeOptions: string;
  /** Ends the run and everything it started. */
  stop: AbortSignal;
}

export interface Run {
  status: number;
  report: Report;
}

/** Programs end themselves at their limit; this catches one that cannot. */
const PROGRAM_SLACK_MS = 60_000;

export async function runPrograms(paths: readonly string[], options: RunOptions): Promise<Run> {
  const { folder, flags, nodeOptions, atOnce, stop } = options;
  const reportFile = join(folder, 'report.jsonl');
  const isReporterGiven = flags.some((flag) => flag.startsWith('--test-reporter='));
  const args = [
    '--test',
    ...flags,
    ...(isReporterGiven ? [] : [`--test-reporter=${process.env.CI ? 'spec' : 'dot'}`]),
    '--test-reporter-destination=stdout',
    `--test-reporter=${new URL('./totals-reporter.ts', import.meta.url)}`,
    `--test-reporter-destination=${reportFile}`,
    `--test-concurrency=${atOnce}`,
    `--test-timeout=${PROGRAM_LIMIT_MS + PROGRAM_SLACK_MS}`,
    ...paths,
  ];
  // Compile and bundle once, not once per test process.
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const compiled = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') };
  const time = fixedTimeEnvironment();
  const words = [own.NODE_OPTIONS ?? '', time.NODE_OPTIONS, nodeOptions].join(' ').trim();
  const env = { ...compiled, ...own, ...time, NODE_OPTIONS: words };
  // A process group, so that a signal reaches all programs.
  const child = spawn(process.execPath, args, { stdio: 'inherit', detached: true, env });
  const pass = () => process.kill(-child.pid!, 'SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, pass);
  const kill = () => killTree(child.pid!);
  if (stop.aborted) kill();
  stop.addEventListener('abort', kill, { once: true });
  const [status] = (await once(child, 'exit')) as [number | null];
  stop.removeEventListener('abort', kill);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, pass);
  return {
    status: status ?? 1,
    report: parseReport(existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : ''),
  };
}
