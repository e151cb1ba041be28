// The backtest's score table as plain text.

import type { ModelSummary } from './score-book.ts';

const HEADINGS = [
  'model',
  'n',
  'CRPS',
  'skill % [90%]',
  'log',
  'bucket log',
  'RPS',
  'cov90 [90%]',
  'cov50 [90%]',
  'p50 err % med/p90',
];

export function formatLeadTable(leadHours: number, summaries: readonly ModelSummary[]): string {
  const rows = summaries.map((s) => [
    s.model,
    String(s.events),
    s.crps.toFixed(3),
    `${signed(s.skillPercent)} [${signed(s.skillInterval.lo)}, ${signed(s.skillInterval.hi)}]`,
    s.logScore.toFixed(3),
    s.bucketLogScore.toFixed(3),
    s.rps.toFixed(3),
    `${s.coverage90.toFixed(1)} [${s.coverage90Interval.lo.toFixed(1)}, ${s.coverage90Interval.hi.toFixed(1)}]`,
    `${s.coverage50.toFixed(1)} [${s.coverage50Interval.lo.toFixed(1)}, ${s.coverage50Interval.hi.toFixed(1)}]`,
    `${s.errorMedian.toFixed(1)} / ${s.errorP90.toFixed(1)}`,
  ]);
  return `lead ${leadHours} h\n${alignColumns([HEADINGS, ...rows])}\n`;
}

function alignColumns(rows: string[][]): string {
  const widths = HEADINGS.map((_, j) => Math.max(...rows.map((row) => row[j]!.length)));
  return rows
    .map((row) =>
      row.map((cell, j) => (j === 0 ? cell.padEnd(widths[j]!) : cell.padStart(widths[j]!))).join('  '),
    )
    .join('\n');
}

function signed(value: number): string {
  return `${value >= 0 ? '+' : ''}${value.toFixed(1)}`;
}
