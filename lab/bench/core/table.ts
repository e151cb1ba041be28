// Formats rows as a table for the terminal and the results page.

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

/** Formats comparisons first, then limits, and marks misses. */
export function formatMarkdown(rows: readonly BenchRow[]): string {
  const limits = rows.filter(({ isLimit }) => isLimit);
  const pairs = rows.filter(({ isLimit }) => !isLimit);
  return [...toTables(['baseline', 'ratio', 'target'], pairs), ...toTables(['limit'], limits)].join('\n\n');
}

/** One row per subject if several subjects share the same metrics; otherwise one per value. */
function toTables(heads: readonly string[], rows: readonly BenchRow[]): string[] {
  const wide = findWide(rows);
  const narrow = rows.filter((row) => !wide.flat().includes(row));
  return [
    ...(wide.length > 0 ? [toWideTable(wide)] : []),
    ...(narrow.length > 0 ? [toMarkdown(heads, narrow)] : []),
  ];
}

/** The largest group of subjects with the same metrics, from rows named "subject: metric". */
function findWide(rows: readonly BenchRow[]): BenchRow[][] {
  const subjects = [...Map.groupBy(rows, ({ name }) => splitName(name).subject).values()];
  const several = subjects.filter((group) => group.length > 1);
  const alike = [...Map.groupBy(several, (group) => group.map(nameMetric).join()).values()];
  const largest = alike.sort((a, b) => b.length - a.length)[0] ?? [];
  return largest.length > 1 ? largest : [];
}

function toWideTable(subjects: readonly (readonly BenchRow[])[]): string {
  const metrics = subjects[0]!.map(nameMetric);
  const toLine = (group: readonly BenchRow[]) =>
    line([splitName(group[0]!.name).subject, ...group.map(toWideCell)]);
  return [line(['name', ...metrics]), `|---${'|--:'.repeat(metrics.length)}|`, ...subjects.map(toLine)].join(
    '\n',
  );
}

/** "15,740; 1.02 ±7% (≥0.870)" for a comparison, "522 (≤600)" for a limit. */
function toWideCell(row: BenchRow): string {
  const [, ours, baseline, ratio, target] = formatCells(row);
  const figure = row.isLimit ? `${ours} (≤${baseline})` : `${ours}; ${ratio} (${target!.replace(' ', '')})`;
  return figure + (row.pass ? '' : ' missed');
}

function splitName(name: string): { subject: string; metric: string } {
  const at = name.lastIndexOf(': ');
  return at < 0 ? { subject: name, metric: '' } : { subject: name.slice(0, at), metric: name.slice(at + 2) };
}

const nameMetric = ({ name }: BenchRow) => splitName(name).metric;
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Columns: name, ours, and one per entry of `heads`. */
function toMarkdown(heads: readonly string[], rows: readonly BenchRow[]): string {
  const toLine = (row: BenchRow) => {
    const cells = formatCells(row).slice(0, 2 + heads.length);
    cells.push(cells.pop()!.replace(' ', '') + (row.pass ? '' : ' missed'));
    return line(cells);
  };
  return [
    line(['name', 'ours', ...heads]),
    `|---|--:${'|--:'.repeat(heads.length)}|`,
    ...rows.map(toLine),
  ].join('\n');
}
