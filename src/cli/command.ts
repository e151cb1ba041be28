// Interface between a command and its environment: arguments, streams, environment variables and clock.

import type { Clock } from '../runtime/clock.ts';

export interface Output {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  rows?: number | undefined;
  hasColors?(): boolean;
  write(text: string): unknown;
}

export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Writes the result to stdout, which may be piped into another program. */
  output: Output;
  /** Writes notes, progress and problems to stderr. */
  notes: Output;
  /** Aborts when the command should end. A command that never calls this is killed by the signal. */
  stopSignal(): AbortSignal;
}

export interface Command {
  /** Printed by --help. */
  usage: string;
  /** Returns the exit code (undefined means 0). Throws a UsageError for an invalid argument. */
  run(args: readonly string[], terminal: Terminal): Promise<number | undefined>;
}

export interface CommandEntry {
  name: string;
  summary: string;
  load(): Promise<Command>;
}

/** Formats the command list for --help: one line per command under its group title. */
export function listGroups(groups: readonly [string, readonly CommandEntry[]][]): string {
  const width = Math.max(...groups.flatMap(([, entries]) => entries.map(({ name }) => name.length)));
  const line = ({ name, summary }: CommandEntry) => `  ${name.padEnd(width)}  ${summary}`;
  return groups.map(([title, entries]) => [title, ...entries.map(line)].join('\n')).join('\n\n');
}

export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;

export function print({ output }: Terminal, text: string): void {
  output.write(`${text}\n`);
}

export function note({ notes }: Terminal, text: string): void {
  notes.write(`${text}\n`);
}

export function untilStopped(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
