// File access and output streams for commands that read a history and write results.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage, UsageError } from '../runtime/errors.ts';
import type { Terminal } from './command.ts';

export interface FileAccess {
  readText(path: string): string;
  writeText(path: string, text: string): void;
  print(text: string): void;
  /** Writes progress and notes for the user, never part of the result. */
  report(text: string): void;
}

export function openFiles({ output, notes }: Terminal): FileAccess {
  return {
    readText(path) {
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        throw new UsageError(`${path} cannot be read: ${errorMessage(error)}`);
      }
    },
    writeText(path, text) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    print: (text) => void output.write(text),
    report: (text) => void notes.write(text),
  };
}

/** Reports invalid file content as a usage error that includes the file name. */
export function readParsed<T>(files: FileAccess, path: string, parse: (text: string) => T): T {
  const text = files.readText(path);
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${path}, ${errorMessage(error)}`);
  }
}
