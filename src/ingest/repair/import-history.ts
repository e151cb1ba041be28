// Imports a history file into the store: idempotent, in batches, in bounded memory. Reports every duplicate
// and bad line by number. A line is imported completely or not at all.

import { createReadStream } from 'node:fs';
import type { AccountId } from '../../domain/account.ts';
import {
  type ColumnMapping,
  describeLayout,
  HistoryLineError,
  type HistoryRow,
  parseHistoryLine,
  readHistoryHeader,
  STANDARD_LAYOUT,
} from '../../domain/history-csv.ts';
import type { CapturedPost } from '../../domain/post.ts';
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
/** A line has six short fields. */
const LONGEST_LINE = 1_000;

export interface ImportListener {
  onProgress(report: ImportReport): void;
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
  const report: ImportReport = {
    columns: '',
    linesRead: 0,
    imported: 0,
    duplicates: 0,
    duplicateLines: [],
    badLines: [],
    badLineCount: 0,
  };
  let layout = STANDARD_LAYOUT;
  let batch: { row: HistoryRow; lineNumber: number }[] = [];
  for await (const { number, text, isCut } of readFileLines(file, LONGEST_LINE)) {
    if (number === 1) readHeader(text);
    else if (text.trim() !== '') readLine(text, number, isCut);
    if (batch.length === BATCH_ROWS) await flush();
  }
  await flush();
  return report;

  function readHeader(text: string): void {
    layout = readHistoryHeader(text, columns);
    report.columns = describeLayout(layout);
  }

  function readLine(text: string, lineNumber: number, isCut: boolean): void {
    report.linesRead += 1;
    try {
      if (isCut) throw new HistoryLineError(lineNumber, `longer than ${LONGEST_LINE} characters`);
      const row = parseHistoryLine(text, lineNumber, layout);
      if (isAhead(row.createdTs, nowTs))
        throw new HistoryLineError(lineNumber, 'created_ts is in the future');
      batch.push({ row, lineNumber });
    } catch (error) {
      if (!(error instanceof HistoryLineError)) throw error;
      report.badLineCount += 1;
      onRefused(error.message);
      if (report.badLines.length < REPORTED_LINES) report.badLines.push(error.message);
    }
  }

  async function flush(): Promise<void> {
    const inserted = await posts.recordCaptures(batch.map(({ row }) => toCapture(accountId, row, nowTs)));
    const insertedIds = new Set(inserted.map((post) => post.postId));
    for (const { row, lineNumber: at } of batch) {
      // The second occurrence of an id within a batch is a duplicate.
      if (insertedIds.delete(row.postId)) continue;
      report.duplicates += 1;
      onRefused(`line ${at}: duplicate of ${row.postId}`);
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
    // A counted reply is on the main feed, so it is a self-reply.
    isSelfReply: row.isReply === true && row.isCounted,
    isCommunity: false,
    firstSeenTs: nowTs,
    deletedTs: null,
    isCounted: row.isCounted,
  };
}

interface FileLine {
  number: number;
  text: string;
  /** The line was too long; `text` is its beginning. */
  isCut: boolean;
}

/** Reads a file of any size line by line in bounded memory, even if a line never ends. */
async function* readFileLines(file: string, maxLength: number): AsyncGenerator<FileLine> {
  let begun = '';
  let isCut = false;
  let number = 1;

  function extend(piece: string): void {
    if (begun.length + piece.length > maxLength) isCut = true;
    begun += piece.slice(0, Math.max(0, maxLength - begun.length));
  }

  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      extend(chunk.slice(from, end));
      yield { number, text: begun, isCut };
      number += 1;
      begun = '';
      isCut = false;
      from = end + 1;
    }
    extend(chunk.slice(from));
  }
  if (begun !== '') yield { number, text: begun, isCut };
}
