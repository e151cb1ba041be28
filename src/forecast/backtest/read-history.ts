// Reads a history file for the forecaster, sorted and without duplicate posts.

import {
  type ColumnMapping,
  type HistoryLineError,
  type HistoryRow,
  parseHistoryLine,
  readHistoryHeader,
} from '../../domain/history-csv.ts';
import type { PostHistory } from '../types.ts';

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
