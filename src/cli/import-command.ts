// import FILE.csv [--account a|b]: a history file into the store, and what became of its lines.

import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Account } from '../domain/account.ts';
import { HistoryLineError } from '../domain/history-csv.ts';
import { type ImportReport, importHistory } from '../ingest/import-history.ts';
import { errorMessage, UsageError } from '../runtime/errors.ts';
import type { PostStore } from '../store/ports.ts';
import { createProgressBar, type ProgressOutput } from '../store/transfer/progress-bar.ts';

export const IMPORT_USAGE = `usage: npx tallycast import FILE.csv [--account a|b] [--json]

Loads a history file (tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted) into the configured store.
Lines that are already there are left out; bad lines are told by number. Importing twice changes nothing.
A running service counts imported posts after its next start.

examples:
  npx tallycast import history.csv --account a
  npm run import -- history.csv --account b --json
`;

export interface ImportIo {
  posts: PostStore;
  accounts: readonly Account[];
  nowTs: number;
  print(text: string): void;
  progress: ProgressOutput;
}

export async function runImport(args: readonly string[], io: ImportIo): Promise<void> {
  const { file, accountId, isJson } = readArguments(args, io.accounts);
  const totalRows = Math.max(0, (await countLines(file)) - 1);
  const bar = createProgressBar(io.progress);
  const onProgress = ({ linesRead }: ImportReport) =>
    bar.show({ phase: 'copying', table: 'posts', doneRows: linesRead, totalRows });
  const report = await importHistory(file, accountId, io.posts, io.nowTs, onProgress).catch((error) => {
    // Single bad lines are reported; this one is about the file as a whole.
    throw error instanceof HistoryLineError ? new UsageError(`${file}, ${error.message}`) : error;
  });
  bar.finish();
  io.print(isJson ? `${JSON.stringify(toWire(report), null, 2)}\n` : describeReport(report));
}

function readArguments(args: readonly string[], accounts: readonly Account[]) {
  let parsed: { values: { account?: string; json?: boolean }; positionals: string[] };
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { account: { type: 'string', default: 'a' }, json: { type: 'boolean' } },
    });
  } catch (error) {
    throw new UsageError(`${errorMessage(error)}\n\n${IMPORT_USAGE}`);
  }
  const { values, positionals } = parsed;
  const account = accounts.find(
    ({ accountId, segment }) => accountId === values.account || segment === values.account,
  );
  if (!account)
    throw new UsageError(`--account is one of ${accounts.map(({ accountId }) => accountId).join(', ')}`);
  const [file] = positionals;
  if (file === undefined || positionals.length !== 1) throw new UsageError(IMPORT_USAGE);
  return { file, accountId: account.accountId, isJson: values.json ?? false };
}

async function countLines(file: string): Promise<number> {
  let lines = 0;
  try {
    for await (const chunk of createReadStream(file)) {
      for (const byte of chunk as Buffer) if (byte === 10) lines += 1;
    }
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${errorMessage(error)}`);
  }
  return lines;
}

export function describeReport(report: ImportReport): string {
  const { linesRead, imported, duplicates, duplicateLines, badLines, badLineCount } = report;
  const lines = [
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
    lines_read: report.linesRead,
    imported: report.imported,
    duplicates: report.duplicates,
    duplicate_lines: report.duplicateLines,
    bad_lines: report.badLines,
    bad_line_count: report.badLineCount,
  };
}
