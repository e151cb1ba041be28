// Predicted vs. observed frequencies, per account and horizon.

import type { ForecastScore } from '../../store/ports.ts';
import { round6 } from '../records/record.ts';
import { interpolateQuantile } from './performance.ts';

const BINS = 10;

export function presentCalibration(
  scores: readonly ForecastScore[],
  accounts: readonly { accountId: string; segment: string }[],
  horizonsH: readonly number[],
  nowTs: number,
) {
  const data = accounts.flatMap(({ accountId, segment }) =>
    horizonsH.map((horizonH) => {
      const own = scores.filter((score) => score.accountId === accountId && score.horizonH === horizonH);
      return { account: segment, horizon: horizonH, ...summarise(own) };
    }),
  );
  return { timestamp: nowTs, data };
}

function summarise(scores: readonly ForecastScore[]) {
  return {
    sample_size: scores.length,
    pit_histogram: pitHistogram(scores),
    coverage_50: fraction(scores.map((score) => score.isInside50)),
    coverage_90: fraction(scores.map((score) => score.isInside90)),
    reliability: reliability(scores),
    scores: [modelLine(scores), ...baselineLines(scores)],
  };
}

/** The PIT of a count is an interval; its weight is spread evenly over the bins it covers. */
function pitHistogram(scores: readonly ForecastScore[]) {
  const counts = new Array<number>(BINS).fill(0);
  for (const { pitLow, pitHigh } of scores) {
    const width = Math.max(pitHigh - pitLow, 1e-12);
    for (let bin = 0; bin < BINS; bin++) {
      const from = bin / BINS;
      const to = (bin + 1) / BINS;
      const overlap = Math.min(pitLow + width, to) - Math.max(pitLow, from);
      if (overlap > 0) counts[bin]! += overlap / width;
    }
  }
  return counts.map((count, bin) => ({ from: bin / BINS, to: (bin + 1) / BINS, count: round6(count) }));
}

function reliability(scores: readonly ForecastScore[]) {
  const buckets = scores.flatMap((score) => score.buckets);
  return Array.from({ length: BINS }, (_, bin) => {
    const own = buckets.filter(
      ({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)) === bin,
    );
    return {
      from: bin / BINS,
      to: (bin + 1) / BINS,
      mean_probability: mean(own.map(({ probability }) => probability)),
      won_fraction: fraction(own.map(({ won }) => won)),
      count: own.length,
    };
  });
}

function modelLine(scores: readonly ForecastScore[]) {
  return {
    name: 'model',
    crps: mean(scores.map((score) => score.crps)),
    bucket_log_score: mean(scores.map((score) => score.bucketLogScore)),
    median_error_pct: interpolateQuantile(
      scores.map((score) => score.errorPercent),
      0.5,
    ),
    sample_size: scores.length,
  };
}

function baselineLines(scores: readonly ForecastScore[]) {
  const names = [...new Set(scores.flatMap((score) => Object.keys(score.baselines)))].sort();
  return names.map((name) => {
    const own = scores.flatMap((score) => {
      const baseline = score.baselines[name];
      return baseline ? [{ ...baseline, finalCount: score.finalCount }] : [];
    });
    const errors = own.flatMap(({ p50, finalCount }) =>
      p50 === null || finalCount === 0 ? [] : [(100 * Math.abs(p50 - finalCount)) / finalCount],
    );
    return {
      name,
      crps: mean(own.flatMap(({ crps }) => (crps === null ? [] : [crps]))),
      bucket_log_score: mean(
        own.flatMap(({ bucketLogScore }) => (bucketLogScore === null ? [] : [bucketLogScore])),
      ),
      median_error_pct: interpolateQuantile(errors, 0.5),
      sample_size: own.length,
    };
  });
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return round6(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function fraction(flags: readonly boolean[]): number | null {
  return mean(flags.map((flag) => (flag ? 1 : 0)));
}
