// Compares the product with the best other model at each lead, losses first.

import { createRandom } from '../../runtime/random.ts';
import { bootstrapSkill } from '../scoring/block-bootstrap.ts';
import { type ModelSummary, PRODUCT, type ScoreRow } from './score-book.ts';

const RESAMPLES = 1000;

interface LeadVerdict {
  leadHours: number;
  rival: string;
  /** How much lower the product's mean CRPS is than the rival's, in percent, with a 90% interval. */
  gainPercent: number;
  lo: number;
  hi: number;
}

/** One sentence per lead: first the leads that another model wins, then the undecided, then those we win. */
export function describeVerdicts(
  byLead: ReadonlyMap<number, ReadonlyMap<string, readonly ScoreRow[]>>,
  blockLength: number,
): string[] {
  const verdicts = [...byLead].flatMap(([lead, models]) => judge(lead, models, blockLength) ?? []);
  return verdicts
    .sort((a, b) => rankOf(a) - rankOf(b) || a.leadHours - b.leadHours)
    .map((verdict) => describe(verdict));
}

function judge(
  leadHours: number,
  models: ReadonlyMap<string, readonly ScoreRow[]>,
  blockLength: number,
): LeadVerdict | null {
  const ours = (models.get(PRODUCT) ?? []).map((row) => row.crps);
  const others = [...models].filter(([name, rows]) => name !== PRODUCT && rows.length === ours.length);
  if (ours.length === 0 || others.length === 0) return null;
  const [rival, rows] = others.reduce((best, next) => (meanCrps(next[1]) < meanCrps(best[1]) ? next : best));
  const theirs = rows.map((row) => row.crps);
  const interval = bootstrapSkill(ours, theirs, blockLength, RESAMPLES, createRandom(11));
  const gain = 1 - mean(ours) / mean(theirs);
  return { leadHours, rival, gainPercent: 100 * gain, lo: 100 * interval.lo, hi: 100 * interval.hi };
}

function rankOf({ lo, hi }: LeadVerdict): number {
  if (hi < 0) return 0;
  return lo > 0 ? 2 : 1;
}

function describe(verdict: LeadVerdict): string {
  const { leadHours, rival, gainPercent, lo, hi } = verdict;
  const range = (from: number, to: number) => `(90%: ${from.toFixed(1)} to ${to.toFixed(1)})`;
  const at = `${leadHours} h before the end`;
  switch (rankOf(verdict)) {
    case 0:
      return `${rival} beats ${PRODUCT} ${at}: its CRPS is better by ${(-gainPercent).toFixed(1)}% ${range(-hi, -lo)}.`;
    case 2:
      return `${PRODUCT} beats ${rival}, the best other model, ${at}: its CRPS is better by ${gainPercent.toFixed(1)}% ${range(lo, hi)}.`;
    default:
      return `Undecided ${at}: ${PRODUCT} is ${Math.abs(gainPercent).toFixed(1)}% ${gainPercent < 0 ? 'behind' : 'ahead of'} ${rival} ${range(lo, hi)}.`;
  }
}

function meanCrps(rows: readonly ScoreRow[]): number {
  return mean(rows.map((row) => row.crps));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

// The backtest's score table, with the same names as text and in the report.

export const HEADINGS = [
  'model',
  'events',
  'CRPS',
  'skill % [90%]',
  'log score',
  'bucket log score',
  'RPS',
  'inside 90% [90%]',
  'inside 50% [90%]',
  'error % median / p90',
] as const;

export function listCells(s: ModelSummary): string[] {
  return [
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
  ];
}

export function formatLeadTable(leadHours: number, summaries: readonly ModelSummary[]): string {
  return `lead ${leadHours} h\n${alignColumns([HEADINGS, ...summaries.map(listCells)])}\n`;
}

function alignColumns(rows: readonly (readonly string[])[]): string {
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
