// Starts and stops measured processes, and reads their CPU time and memory.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

export interface Running<Hello> {
  child: ChildProcess;
  pid: number;
  /** The first message, or what `until` captured. */
  hello: Hello;
  stop(): Promise<void>;
}

/** Starts one of our scripts, which sends a message when ready and exits on SIGTERM. */
export async function startScript<Hello>(
  script: string,
  args: readonly string[] = [],
): Promise<Running<Hello>> {
  const child = fork(join(ROOT, script), [...args], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const hello = await Promise.race([
    once(child, 'message').then(([message]) => message as Hello),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${script} exited with ${code}`))),
  ]);
  return { child, pid: child.pid!, hello, stop: () => stop(child) };
}

/** Sends one request and returns the response. */
export async function ask<T>(running: Running<unknown>, question: object): Promise<T> {
  const answer = once(running.child, 'message');
  running.child.send(question);
  return (await answer)[0] as T;
}

/** A start takes seconds; the limit keeps a missing line from hanging the bench. */
const READY_MS = 120_000;

export interface CommandOptions {
  env?: Record<string, string>;
  /** Output line that marks readiness; its capture group becomes `hello`. */
  until: RegExp;
}

export async function startCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<Running<string>> {
  const child = spawn(command, [...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let deadline: NodeJS.Timeout | undefined;
  const hello = await new Promise<string>((resolve, reject) => {
    const printed = () => `\n${lines.join('\n')}`;
    deadline = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${command} did not print ${options.until} within 2 minutes${printed()}`));
    }, READY_MS);
    const read = (line: string) => {
      if (lines.length < 50) lines.push(line);
      const match = options.until.exec(line);
      if (match) resolve(match[1] ?? '');
    };
    createInterface({ input: child.stdout! }).on('line', read);
    createInterface({ input: child.stderr! }).on('line', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} exited with ${code}${printed()}`)));
  }).finally(() => clearTimeout(deadline));
  return { child, pid: child.pid!, hello, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await exited;
  clearTimeout(timer);
}

/** CPU time of all running threads, nanoseconds. */
export function readCpuNs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  let total = 0;
  for (const task of readdirSync(folder)) {
    try {
      total += Number(readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // The thread has just exited.
    }
  }
  return total;
}

/** Time the main thread waited for a core, nanoseconds. */
export function readWaitedNs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]);
}

/** Number of open file descriptors. */
export function countOpenFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Resident memory, MB. */
export function readRssMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}
