// Reads a history file for the forecaster, sorted and without duplicate posts.

import { CsvError, type CsvRow } from '../../domain/csv.ts';
import {
  type ColumnMapping,
  type HistoryFile,
  type HistoryRow,
  parseHistoryRow,
  readHistoryFile,
} from '../../domain/history-csv.ts';
import type { PostHistory } from '../types.ts';
import type { Gap, Sight } from './walk-forward.ts';

const MAX_REPORTED = 10;

export function parseHistory(text: string, columns: ColumnMapping = {}): PostHistory {
  return toHistory(readHistoryFile(text, columns));
}

export function toHistory(file: HistoryFile): PostHistory {
  refuseSeveralAccounts(file);
  const problems: string[] = [];
  const byId = new Map<string, HistoryRow>();
  for (const line of file.rows) {
    try {
      const row = parseHistoryRow(line, file);
      if (!byId.has(row.postId)) byId.set(row.postId, row);
    } catch (error) {
      problems.push((error as CsvError).message);
    }
  }
  const more = problems.length > MAX_REPORTED ? [`and ${problems.length - MAX_REPORTED} more`] : [];
  if (problems.length > 0) throw new Error([...problems.slice(0, MAX_REPORTED), ...more].join('\n'));
  const rows = [...byId.values()].sort((a, b) => a.createdTs - b.createdTs);
  return {
    createdTs: Float64Array.from(rows, (row) => row.createdTs),
    isCounted: Uint8Array.from(rows, (row) => (row.isCounted ? 1 : 0)),
  };
}

/** `export posts` writes every account unless one is chosen; together they would be scored as one. */
function refuseSeveralAccounts({ rows }: HistoryFile): void {
  const found = new Set(rows.map((row) => row.text('account_id')));
  if (found.size > 1)
    throw new Error(
      `has posts of several accounts (${[...found].join(', ')}). Export one of them: --account a`,
    );
}

/** Parses a file of outages, one per line: start and end in UTC milliseconds. A header is optional. */
export function parseGaps(text: string): Gap[] {
  const lines = text.split('\n').map((line, i) => ({ line: line.trim(), number: i + 1 }));
  return lines
    .filter(({ line, number }) => line !== '' && !(number === 1 && /[a-z]/i.test(line)))
    .map(({ line, number }) => parseGap(line, number));
}

function parseGap(line: string, number: number): Gap {
  const [startTs, endTs, ...more] = line.split(',').map(Number);
  const isWhole = Number.isSafeInteger(startTs) && Number.isSafeInteger(endTs) && more.length === 0;
  if (!isWhole || startTs! >= endTs!)
    throw new CsvError(number, `"${line}" must be a start and an end in milliseconds`);
  return { startTs: startTs!, endTs: endTs! };
}

const SEEN = 'first_seen_ts';
const IMPORTED = 'oracle_imported_ts';

/** Reads a history with first-seen times, as written by `tallycast export posts`. */
export function parseSeenHistory(text: string): PostHistory & Sight {
  const file = readHistoryFile(text);
  if (!file.headers.includes(SEEN)) throw new CsvError(1, `missing column ${SEEN}`);
  refuseSeveralAccounts(file);
  const rows = file.rows
    .map((row) => parseSeenRow(row, file))
    .sort((left, right) => left.createdTs - right.createdTs);
  const hasImports = rows.some(({ importedTs }) => importedTs !== null);
  return {
    createdTs: Float64Array.from(rows, (row) => row.createdTs),
    isCounted: Uint8Array.from(rows, (row) => (row.isCounted ? 1 : 0)),
    seenTs: Float64Array.from(rows, (row) => row.seenTs),
    importedTs: hasImports ? Float64Array.from(rows, (row) => row.importedTs ?? Number.NaN) : null,
  };
}

function parseSeenRow(row: CsvRow, file: HistoryFile) {
  const { createdTs, isCounted } = parseHistoryRow(row, file);
  // The platform's clock may be ahead of ours.
  const seenTs = Math.max(row.number(SEEN), createdTs);
  return { createdTs, isCounted, seenTs, importedTs: row.optional(IMPORTED) };
}
