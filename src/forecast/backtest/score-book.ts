// All forecast scores in a backtest, by lead and model, with interval summaries.

import type { BucketRange } from '../../domain/market-event.ts';
import { createRandom } from '../../runtime/random.ts';
import { bucketProbabilities, percentile } from '../distribution/distribution.ts';
import { bootstrapMean, bootstrapSkill, type Interval } from '../scoring/block-bootstrap.ts';
import {
  bucketLogScore,
  crps,
  logScore,
  pitInterval,
  rankedProbabilityScore,
} from '../scoring/proper-scores.ts';
import type { CountDistribution } from '../types.ts';

export const PRODUCT = 'tallycast';
const REFERENCE = 'pace-nb';
const RESAMPLES = 1000;

/** Scores of one model on one event at one lead. */
export interface ScoreRow {
  crps: number;
  logScore: number;
  bucketLogScore: number;
  rps: number;
  /** |p50 - final| / final, in percent. */
  errorPercent: number;
  pitLo: number;
  pitHi: number;
}

export class ScoreBook {
  /** lead -> model -> rows, ordered by time. */
  readonly byLead = new Map<number, Map<string, ScoreRow[]>>();
  readonly #bucketWidth: number;

  constructor(bucketWidth: number) {
    this.#bucketWidth = bucketWidth;
  }

  add(
    leadHours: number,
    model: string,
    distribution: CountDistribution,
    countSoFar: number,
    final: number,
  ): void {
    const ranges = this.#rangesFor(distribution, final);
    const probabilities = bucketProbabilities(distribution, ranges, countSoFar);
    const winner = Math.min(ranges.length - 1, Math.floor(final / this.#bucketWidth));
    const pit = pitInterval(distribution, final);
    const row: ScoreRow = {
      crps: crps(distribution, final),
      logScore: logScore(distribution, final),
      bucketLogScore: bucketLogScore(probabilities, winner),
      rps: rankedProbabilityScore(probabilities, winner),
      errorPercent: (100 * Math.abs(percentile(distribution, 0.5) - final)) / Math.max(1, final),
      pitLo: pit.lo,
      pitHi: pit.hi,
    };
    const models = this.byLead.get(leadHours) ?? new Map<string, ScoreRow[]>();
    this.byLead.set(leadHours, models);
    const rows = models.get(model) ?? [];
    models.set(model, rows);
    rows.push(row);
  }

  #rangesFor(distribution: CountDistribution, final: number): BucketRange[] {
    const top =
      Math.ceil(Math.max(final, distribution.from + distribution.pmf.length) / this.#bucketWidth) + 1;
    return Array.from({ length: top }, (_, j) => ({
      lo: j * this.#bucketWidth,
      hi: j === top - 1 ? null : (j + 1) * this.#bucketWidth - 1,
    }));
  }
}

export interface ModelSummary {
  model: string;
  events: number;
  crps: number;
  skillPercent: number;
  skillInterval: Interval;
  logScore: number;
  bucketLogScore: number;
  rps: number;
  coverage90: number;
  coverage90Interval: Interval;
  coverage50: number;
  coverage50Interval: Interval;
  errorMedian: number;
  errorP90: number;
}

/** Summarises one lead: the product first, then the other models by CRPS. */
export function summariseLead(models: Map<string, ScoreRow[]>, blockLength: number): ModelSummary[] {
  const reference = models.get(REFERENCE) ?? [];
  const summaries = [...models].map(([model, rows]) => summarise(model, rows, reference, blockLength));
  return summaries.sort((a, b) => (a.model === PRODUCT ? -1 : b.model === PRODUCT ? 1 : a.crps - b.crps));
}

function summarise(
  model: string,
  rows: ScoreRow[],
  reference: ScoreRow[],
  blockLength: number,
): ModelSummary {
  const scores = rows.map((row) => row.crps);
  const theirs = reference.map((row) => row.crps);
  const random = createRandom(11);
  const hits90 = rows.map((row) => coverageShare(row, 0.9));
  const hits50 = rows.map((row) => coverageShare(row, 0.5));
  const errors = rows.map((row) => row.errorPercent).sort((a, b) => a - b);
  const skill = bootstrapSkill(scores, theirs, blockLength, RESAMPLES, random);
  return {
    model,
    events: rows.length,
    crps: mean(scores),
    skillPercent: 100 * (1 - mean(scores) / mean(theirs)),
    skillInterval: { lo: 100 * skill.lo, hi: 100 * skill.hi },
    logScore: mean(rows.map((row) => row.logScore)),
    bucketLogScore: mean(rows.map((row) => row.bucketLogScore)),
    rps: mean(rows.map((row) => row.rps)),
    coverage90: 100 * mean(hits90),
    coverage90Interval: scaled(bootstrapMean(hits90, blockLength, RESAMPLES, random)),
    coverage50: 100 * mean(hits50),
    coverage50Interval: scaled(bootstrapMean(hits50, blockLength, RESAMPLES, random)),
    errorMedian: errors[Math.floor(errors.length / 2)] ?? 0,
    errorP90: errors[Math.floor(errors.length * 0.9)] ?? 0,
  };
}

/** Expected coverage of the central interval under the randomised PIT, computed exactly without drawing. */
export function coverageShare({ pitLo, pitHi }: { pitLo: number; pitHi: number }, level: number): number {
  const lo = (1 - level) / 2;
  const hi = 1 - lo;
  if (pitHi - pitLo < 1e-12) return pitLo > lo && pitLo < hi ? 1 : 0;
  return Math.max(0, Math.min(hi, pitHi) - Math.max(lo, pitLo)) / (pitHi - pitLo);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, x) => sum + x, 0) / values.length;
}

function scaled({ lo, hi }: Interval): Interval {
  return { lo: 100 * lo, hi: 100 * hi };
}
