// Files for commands that read a history and write results.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type ColumnMapping,
  HISTORY_COLUMNS,
  type HistoryColumn,
  readHistoryFile,
} from '../domain/history-csv.ts';
import { toHistory } from '../forecast/backtest/read-history.ts';
import type { PostHistory } from '../forecast/types.ts';
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

export const COLUMNS_HELP = `  --columns tweet_id=ID,created_ts=DATE   map our columns to the file's headers if not recognised`;

/** `tweet_id=ID,created_ts=Posted at`. */
export function parseColumns(text: string | undefined): ColumnMapping {
  if (text === undefined) return {};
  const pairs = text.split(',').map((pair) => {
    const [name = '', header = ''] = pair.split('=', 2).map((part) => part.trim());
    if (!HISTORY_COLUMNS.includes(name as HistoryColumn) || header === '')
      throw new UsageError(
        `--columns ${pair}: expected NAME=HEADER; NAME is one of ${HISTORY_COLUMNS.join(', ')}`,
      );
    return [name, header];
  });
  return Object.fromEntries(pairs);
}

export function readPosts(files: FileAccess, path: string, columns: ColumnMapping): PostHistory {
  return readParsed(files, path, (text) => {
    const history = readHistoryFile(text, columns);
    files.report(`${path}: ${history.columns}\n`);
    return toHistory(history);
  });
}
