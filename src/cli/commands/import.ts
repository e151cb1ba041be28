// Imports a history file into the store and reports the result.

import { closeSync, openSync, writeSync } from 'node:fs';
import { loadConfig } from '../../config/config.ts';
import type { Account } from '../../domain/account.ts';
import { CsvError } from '../../domain/csv.ts';
import { type ImportReport, importHistory } from '../../ingest/repair/import-history.ts';
import { UsageError } from '../../runtime/errors.ts';
import type { PostStore } from '../../store/ports.ts';
import { findAccount, readWordsAndOptions, required } from '../arguments.ts';
import type { Command, Output } from '../command.ts';
import { COLUMNS_HELP, parseColumns } from '../files.ts';
import { withStore } from '../open-configured-store.ts';
import { drawProgress } from '../progress.ts';

export const usage = `usage: npx tallycast import FILE.csv [--account a|b] [--columns NAME=HEADER,...] [--refused FILE] [--json] [settings]

Import a history file into the configured store. The file needs an id column (tweet_id) and a time column (created_ts:
UTC milliseconds or ISO 8601); is_reply, is_quote, is_retweet and is_counted are optional. Common headers such as id,
created_at or date are recognised, and the command prints which columns it used. Posts already stored are skipped; bad
lines are reported with line and column. Importing a file twice is harmless. A running service counts imported posts after
its next restart.

${COLUMNS_HELP}

  --refused FILE   write every bad or duplicate line with the reason (default: report the first hundred)

examples:
  npx tallycast import history.csv --account a
  npx tallycast import export.csv --columns "tweet_id=Post ID,created_ts=Posted at"
  npm run import -- history.csv --account b --json`;

const FLUSH_CHARACTERS = 64 * 1024;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  await withStore(config, ({ posts }) =>
    runImport(config.rest, {
      posts,
      accounts: config.accounts,
      nowTs: terminal.clock.now(),
      print: (text) => void terminal.output.write(text),
      progress: terminal.notes,
    }),
  );
  return undefined;
};

export interface ImportIo {
  posts: PostStore;
  accounts: readonly Account[];
  nowTs: number;
  print(text: string): void;
  progress: Output;
}

async function runImport(args: readonly string[], io: ImportIo): Promise<void> {
  const { file, accountId, columns, isJson, refusedFile } = readArguments(args, io.accounts);
  const onProgress = ({ linesRead }: ImportReport, lines: number) => {
    if (io.progress.isTTY) io.progress.write(drawProgress(linesRead, lines));
  };
  const refused = refusedFile === undefined ? null : openRefused(refusedFile);
  const onRefused = (problem: string) => refused?.write(problem);
  const report = await importHistory(file, accountId, io.posts, io.nowTs, { onProgress, onRefused }, columns)
    .catch((error) => {
      // Bad lines are reported individually; this error affects the whole file.
      throw error instanceof CsvError ? new UsageError(`${file}, ${error.message}`) : error;
    })
    .finally(() => refused?.close());
  io.print(isJson ? `${JSON.stringify(toWire(report), null, 2)}\n` : describeReport(report));
}

/** Writes each line immediately, so that a file full of bad lines takes no extra memory. */
function openRefused(file: string): { write(line: string): void; close(): void } {
  const descriptor = openSync(file, 'w');
  let waiting = '';
  const flush = () => {
    writeSync(descriptor, waiting);
    waiting = '';
  };
  return {
    write(line) {
      waiting += `${line}\n`;
      if (waiting.length > FLUSH_CHARACTERS) flush();
    },
    close() {
      flush();
      closeSync(descriptor);
    },
  };
}

function readArguments(args: readonly string[], accounts: readonly Account[]) {
  const { values, positionals } = readWordsAndOptions(args, 1, {
    account: { type: 'string', default: 'a' },
    json: { type: 'boolean', default: false },
    refused: { type: 'string' },
    columns: { type: 'string' },
  });
  const { accountId } = findAccount(accounts, values.account);
  const file = required(positionals[0], 'FILE.csv');
  const columns = parseColumns(values.columns);
  return { file, accountId, columns, isJson: values.json, refusedFile: values.refused };
}

function describeReport(report: ImportReport): string {
  const { linesRead, imported, duplicates, duplicateLines, badLines, badLineCount } = report;
  const lines = [
    report.columns,
    `${linesRead} lines read: ${imported} imported, ${duplicates} duplicates, ${badLineCount} bad`,
  ];
  if (duplicates > 0)
    lines.push(`duplicates in lines ${listSome(duplicateLines.map(String), duplicates, ', ')}`);
  if (badLineCount > 0) lines.push(`bad lines:\n  ${listSome(badLines, badLineCount, '\n  ')}`);
  return `${lines.join('\n')}\n`;
}

function listSome(shown: readonly string[], total: number, separator: string): string {
  const more = total > shown.length ? `${separator}and ${total - shown.length} more` : '';
  return shown.join(separator) + more;
}

function toWire(report: ImportReport) {
  return {
    columns: report.columns,
    lines_read: report.linesRead,
    imported: report.imported,
    duplicates: report.duplicates,
    duplicate_lines: report.duplicateLines,
    bad_lines: report.badLines,
    bad_line_count: report.badLineCount,
  };
}
