// Reads the user's history file, finds its columns by header or --columns, and reports which it used.

import {
  type ColumnMapping,
  describeLayout,
  HISTORY_COLUMNS,
  type HistoryColumn,
  readHistoryHeader,
} from '../domain/history-csv.ts';
import { parseHistory } from '../forecast/backtest/read-history.ts';
import type { PostHistory } from '../forecast/types.ts';
import { UsageError } from '../runtime/errors.ts';
import { type FileAccess, readParsed } from './files.ts';

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
    const layout = readHistoryHeader(text.split('\n', 1)[0]!, columns);
    files.report(`${path}: ${describeLayout(layout)}\n`);
    return parseHistory(text, columns);
  });
}
