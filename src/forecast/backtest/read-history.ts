// Reads a history file for the forecaster, sorted and without duplicate posts.

import {
  type ColumnMapping,
  HISTORY_COLUMNS,
  HistoryLineError,
  type HistoryRow,
  parseHistoryLine,
  readHistoryHeader,
} from '../../domain/history-csv.ts';
import type { PostHistory } from '../types.ts';
import type { Gap, Sight } from './walk-forward.ts';

const MAX_REPORTED = 10;

export class HistoryFileError extends Error {
  constructor(problems: readonly HistoryLineError[]) {
    const shown = problems.slice(0, MAX_REPORTED).map((problem) => problem.message);
    const more = problems.length > MAX_REPORTED ? [`and ${problems.length - MAX_REPORTED} more`] : [];
    super([...shown, ...more].join('\n'));
    this.name = 'HistoryFileError';
  }
}

export function parseHistory(text: string, columns: ColumnMapping = {}): PostHistory {
  const lines = text.split('\n');
  const layout = readHistoryHeader(lines[0] ?? '', columns);
  const problems: HistoryLineError[] = [];
  const byId = new Map<string, HistoryRow>();
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!;
    if (line.trim() === '') continue;
    try {
      const row = parseHistoryLine(line, i + 1, layout);
      if (!byId.has(row.postId)) byId.set(row.postId, row);
    } catch (error) {
      problems.push(error as HistoryLineError);
    }
  }
  if (problems.length > 0) throw new HistoryFileError(problems);
  const rows = [...byId.values()].sort((a, b) => a.createdTs - b.createdTs);
  return {
    createdTs: Float64Array.from(rows, (row) => row.createdTs),
    isCounted: Uint8Array.from(rows, (row) => (row.isCounted ? 1 : 0)),
  };
}

// Parses a file of outages, one per line: start and end in UTC milliseconds.

export function parseGaps(text: string): Gap[] {
  return text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line, number }) => line !== '' && !(number === 1 && /[a-z]/i.test(line)))
    .map(({ line, number }) => parseGap(line, number));
}

function parseGap(line: string, number: number): Gap {
  const [startTs, endTs, ...more] = line.split(',').map(Number);
  const isWhole = Number.isSafeInteger(startTs) && Number.isSafeInteger(endTs) && more.length === 0;
  if (!isWhole || startTs! >= endTs!) {
    throw new Error(`line ${number}: "${line}" must be a start and an end in milliseconds`);
  }
  return { startTs: startTs!, endTs: endTs! };
}

// Reads a history with first-seen times, as written by `tallycast export posts`; columns may be in any order.

const SEEN = 'first_seen_ts';
const IMPORTED = 'oracle_imported_ts';

interface SeenRow {
  createdTs: number;
  isCounted: boolean;
  seenTs: number;
  importedTs: number;
}

export function parseSeenHistory(text: string): PostHistory & Sight {
  const [header = '', ...lines] = text.split(/\r?\n/);
  const places = findPlaces(header.split(','));
  const rows = lines
    .map((line, i) => ({ line, lineNumber: i + 2 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, lineNumber }) => parseRow(line.split(','), places, lineNumber))
    .sort((a, b) => a.createdTs - b.createdTs);
  const hasImports = rows.some(({ importedTs }) => !Number.isNaN(importedTs));
  return {
    createdTs: Float64Array.from(rows, (row) => row.createdTs),
    isCounted: Uint8Array.from(rows, (row) => (row.isCounted ? 1 : 0)),
    seenTs: Float64Array.from(rows, (row) => row.seenTs),
    importedTs: hasImports ? Float64Array.from(rows, (row) => row.importedTs) : null,
  };
}

function findPlaces(header: readonly string[]): Map<string, number> {
  const places = new Map(header.map((name, i) => [name.trim().toLowerCase(), i]));
  const missing = [...HISTORY_COLUMNS, SEEN].find((name) => !places.has(name));
  if (missing !== undefined) throw new HistoryLineError(1, `column ${missing} is missing`);
  return places;
}

function parseRow(
  cells: readonly string[],
  places: ReadonlyMap<string, number>,
  lineNumber: number,
): SeenRow {
  const cell = (name: string) => cells[places.get(name) ?? -1] ?? '';
  const { createdTs, isCounted } = parseHistoryLine(HISTORY_COLUMNS.map(cell).join(','), lineNumber);
  const seenTs = Number(cell(SEEN) || Number.NaN);
  if (!Number.isFinite(seenTs)) throw new HistoryLineError(lineNumber, `${SEEN} is not UTC milliseconds`);
  // The platform's clock may be ahead of ours.
  return {
    createdTs,
    isCounted,
    seenTs: Math.max(seenTs, createdTs),
    importedTs: Number(cell(IMPORTED) || Number.NaN),
  };
}
