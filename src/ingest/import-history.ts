// Loads a history file into the store: idempotent, in batches, telling duplicates and bad lines by number.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { AccountId } from '../domain/account.ts';
import {
  checkHistoryHeader,
  HistoryLineError,
  type HistoryRow,
  parseHistoryLine,
} from '../domain/history-csv.ts';
import type { CapturedPost } from '../domain/post.ts';
import type { PostStore } from '../store/ports.ts';

export interface ImportReport {
  linesRead: number;
  imported: number;
  duplicates: number;
  /** Line numbers of duplicates and descriptions of bad lines, the first hundred of each. */
  duplicateLines: number[];
  badLines: string[];
  badLineCount: number;
}

const BATCH_ROWS = 2_000;
const REPORTED_LINES = 100;

export async function importHistory(
  file: string,
  accountId: AccountId,
  posts: PostStore,
  nowTs: number,
  onProgress: (report: ImportReport) => void,
): Promise<ImportReport> {
  const report: ImportReport = {
    linesRead: 0,
    imported: 0,
    duplicates: 0,
    duplicateLines: [],
    badLines: [],
    badLineCount: 0,
  };
  let batch: { row: HistoryRow; lineNumber: number }[] = [];
  let lineNumber = 0;
  for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
    lineNumber += 1;
    if (lineNumber === 1) checkHistoryHeader(line);
    else if (line.trim() !== '') readLine(line);
    if (batch.length === BATCH_ROWS) await flush();
  }
  await flush();
  return report;

  function readLine(line: string): void {
    report.linesRead += 1;
    try {
      batch.push({ row: parseHistoryLine(line, lineNumber), lineNumber });
    } catch (error) {
      if (!(error instanceof HistoryLineError)) throw error;
      report.badLineCount += 1;
      if (report.badLines.length < REPORTED_LINES) report.badLines.push(error.message);
    }
  }

  async function flush(): Promise<void> {
    const inserted = await posts.recordCaptures(batch.map(({ row }) => toCapture(accountId, row, nowTs)));
    const insertedIds = new Set(inserted.map((post) => post.postId));
    for (const { row, lineNumber: at } of batch) {
      // A repeated id inside one batch is a duplicate on its second appearance.
      if (insertedIds.delete(row.postId)) continue;
      report.duplicates += 1;
      if (report.duplicateLines.length < REPORTED_LINES) report.duplicateLines.push(at);
    }
    report.imported += inserted.length;
    batch = [];
    onProgress(report);
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
    // A reply that counts stands on the main feed.
    isSelfReply: row.isReply === true && row.isCounted,
    isCommunity: false,
    firstSeenTs: nowTs,
    deletedTs: null,
    isCounted: row.isCounted,
  };
}
