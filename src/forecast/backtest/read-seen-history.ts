// Reads a history with first-seen times, as written by `tallycast export posts`; columns may be in any order.

import { HISTORY_COLUMNS, HistoryLineError, parseHistoryLine } from '../../domain/history-csv.ts';
import type { PostHistory } from '../types.ts';
import type { Sight } from './walk-forward.ts';

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
