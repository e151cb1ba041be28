// Interface of a command and its environment: arguments, streams, variables and clock.

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
  /** The result, which may be piped into another program. */
  output: Output;
  /** For the user: notes, progress, problems. */
  notes: Output;
  /** Aborts when the command should end. A command that never reads this is killed by the signal. */
  stopSignal(): AbortSignal;
}

export interface Command {
  /** Printed by --help. */
  usage: string;
  /** The exit code; undefined means 0. Throws a UsageError for a wrong argument. */
  run(args: readonly string[], terminal: Terminal): Promise<number | undefined>;
}

export interface CommandEntry {
  name: string;
  /** Older or shorter names. */
  aliases?: readonly string[];
  summary: string;
  load(): Promise<Command>;
}

/** The lines of --help, one per command, under the title of its group. */
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
