// Formats rows as a table for the terminal.

import type { BenchRow } from './row.ts';

const HEADS = ['name', 'ours', 'baseline', 'ratio', 'target', 'pass'];

export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en-US');
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(size >= 1 ? 2 : 3);
}

function formatCells(row: BenchRow): string[] {
  const spread = row.spread === undefined ? '' : ` ±${(row.spread * 100).toFixed(0)}%`;
  const sign = (row.better ?? 'less') === 'more' ? '≥' : '≤';
  return [
    row.name,
    formatNumber(row.ours),
    formatNumber(row.baseline),
    formatNumber(row.ratio) + spread,
    `${sign} ${formatNumber(row.target)}`,
    row.pass ? 'yes' : 'NO',
  ];
}

export function formatTable(rows: readonly BenchRow[]): string {
  const lines = [HEADS, ...rows.map(formatCells)];
  const widths = HEADS.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  return lines
    .map((cells) =>
      cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
    )
    .join('\n');
}
