// Compares the product with the best other model at each lead, losses first.

import { createRandom } from '../../runtime/random.ts';
import { bootstrapSkill } from '../scoring/block-bootstrap.ts';
import { PRODUCT, type ScoreRow } from './score-book.ts';

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
      return `Undecided ${at}: ${PRODUCT} is ${gainPercent.toFixed(1)}% ahead of ${rival} ${range(lo, hi)}.`;
  }
}

function meanCrps(rows: readonly ScoreRow[]): number {
  return mean(rows.map((row) => row.crps));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
