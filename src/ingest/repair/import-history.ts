// Imports a history file into the store: idempotent, in batches. Reports every duplicate
// and bad line by number. A line is imported completely or not at all.

import { readFileSync } from 'node:fs';
import type { AccountId } from '../../domain/account.ts';
import { CsvError, type CsvRow } from '../../domain/csv.ts';
import {
  type ColumnMapping,
  type HistoryRow,
  parseHistoryRow,
  readHistoryFile,
} from '../../domain/history-csv.ts';
import type { CapturedPost } from '../../domain/post.ts';
import { errorMessage, UsageError } from '../../runtime/errors.ts';
import { isAhead } from '../../sources/plausibility.ts';
import type { PostStore } from '../../store/ports.ts';

export interface ImportReport {
  /** Describes which column each field was read from. */
  columns: string;
  linesRead: number;
  imported: number;
  duplicates: number;
  /** Line numbers of duplicates, and descriptions of bad lines; the first hundred of each. */
  duplicateLines: number[];
  badLines: string[];
  badLineCount: number;
}

const BATCH_ROWS = 2_000;
const REPORTED_LINES = 100;

export interface ImportListener {
  onProgress(report: ImportReport, lines: number): void;
  /** Called for every rejected line. */
  onRefused?(problem: string): void;
}

export async function importHistory(
  file: string,
  accountId: AccountId,
  posts: PostStore,
  nowTs: number,
  { onProgress, onRefused = () => {} }: ImportListener,
  columns: ColumnMapping = {},
): Promise<ImportReport> {
  const history = readHistoryFile(readText(file), columns);
  const report: ImportReport = {
    columns: history.columns,
    linesRead: 0,
    imported: 0,
    duplicates: 0,
    duplicateLines: [],
    badLines: [],
    badLineCount: 0,
  };
  let batch: { row: HistoryRow; line: number }[] = [];
  for (const line of history.rows) {
    readLine(line);
    if (batch.length === BATCH_ROWS) await flush();
  }
  await flush();
  return report;

  function readLine(line: CsvRow): void {
    report.linesRead += 1;
    try {
      const row = parseHistoryRow(line, history);
      if (isAhead(row.createdTs, nowTs)) line.fail('created_ts', 'is in the future');
      batch.push({ row, line: line.line });
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      report.badLineCount += 1;
      onRefused(error.message);
      if (report.badLines.length < REPORTED_LINES) report.badLines.push(error.message);
    }
  }

  async function flush(): Promise<void> {
    const inserted = await posts.recordCaptures(batch.map(({ row }) => toCapture(accountId, row, nowTs)));
    const insertedIds = new Set(inserted.map((post) => post.postId));
    for (const { row, line: at } of batch) {
      // The second occurrence of an id within a batch is a duplicate.
      if (insertedIds.delete(row.postId)) continue;
      report.duplicates += 1;
      onRefused(`line ${at}: duplicate of ${row.postId}`);
      if (report.duplicateLines.length < REPORTED_LINES) report.duplicateLines.push(at);
    }
    report.imported += inserted.length;
    batch = [];
    onProgress(report, history.rows.length);
  }
}

function toCapture(accountId: AccountId, row: HistoryRow, nowTs: number): CapturedPost {
  return {
    accountId,
    postId: row.postId,
    rootPostId: row.postId,
    createdTs: row.createdTs,
    text: null,
    isReply: row.isReply ?? false,
    isQuote: row.isQuote ?? false,
    isRetweet: row.isRetweet ?? false,
    // A counted reply is on the main feed, so it is a self-reply.
    isSelfReply: row.isReply === true && row.isCounted,
    isCommunity: false,
    firstSeenTs: nowTs,
    deletedTs: null,
    isCounted: row.isCounted,
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${errorMessage(error)}`);
  }
}
