// Predicted vs. observed frequencies, per account and horizon.

import { MaybeNumber, objectEnvelope } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import { giveWay } from '../../runtime/turns.ts';
import type { ForecastScore } from '../../store/ports.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute } from '../http/route.ts';
import { recordOf, round6 } from '../records/record.ts';
import { HORIZONS_H, interpolateQuantile, type RecentScores } from './recent-scores.ts';

const BINS = 10;

/** Scores of one forecaster, over the events it has scores for. */
interface ScoredForecaster {
  name: string;
  crps: readonly number[];
  logScores: readonly number[];
  errorsPercent: readonly number[];
  sampleSize: number;
}

const ScoreLine = recordOf<ScoredForecaster>('ScoreLine')({
  name: [Type.String({ description: 'model, market, or the name of a baseline' }), ({ name }) => name],
  crps: [MaybeNumber, ({ crps }) => mean(crps)],
  bucket_log_score: [MaybeNumber, ({ logScores }) => mean(logScores)],
  median_error_pct: [MaybeNumber, ({ errorsPercent }) => interpolateQuantile(errorsPercent, 0.5)],
  sample_size: [Type.Integer(), ({ sampleSize }) => sampleSize],
});

const PitBin = Type.Object({ from: Type.Number(), to: Type.Number(), count: Type.Number() });

const ReliabilityBin = Type.Object({
  from: Type.Number(),
  to: Type.Number(),
  mean_probability: MaybeNumber,
  won_fraction: MaybeNumber,
  count: Type.Integer(),
});

interface CalibrationSource {
  segment: string;
  horizonH: (typeof HORIZONS_H)[number];
  scores: readonly ForecastScore[];
}

const CalibrationRecord = recordOf<CalibrationSource>('CalibrationRecord')({
  account: [Type.String(), ({ segment }) => segment],
  horizon: [Type.Enum([24, 48, 72]), ({ horizonH }) => horizonH],
  sample_size: [Type.Integer(), ({ scores }) => scores.length],
  pit_histogram: [Type.Array(PitBin), ({ scores }) => pitHistogram(scores)],
  coverage_50: [MaybeNumber, ({ scores }) => fraction(scores.map((score) => score.isInside50))],
  coverage_90: [MaybeNumber, ({ scores }) => fraction(scores.map((score) => score.isInside90))],
  reliability: [Type.Array(ReliabilityBin), ({ scores }) => reliability(scores)],
  scores: [Type.Array(ScoreLine.schema), ({ scores }) => listForecasters(scores).map(ScoreLine.present)],
});

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
  const binOf = (probability: number) => Math.min(BINS - 1, Math.floor(probability * BINS));
  const buckets = scores.flatMap((score) => score.buckets);
  const byBin = Map.groupBy(buckets, ({ probability }) => binOf(probability));
  return Array.from({ length: BINS }, (_, bin) => {
    const own = byBin.get(bin) ?? [];
    return {
      from: bin / BINS,
      to: (bin + 1) / BINS,
      mean_probability: mean(own.map(({ probability }) => probability)),
      won_fraction: fraction(own.map(({ won }) => won)),
      count: own.length,
    };
  });
}

function listForecasters(scores: readonly ForecastScore[]): ScoredForecaster[] {
  const model = {
    name: 'model',
    crps: scores.map((score) => score.crps),
    logScores: scores.map((score) => score.bucketLogScore),
    errorsPercent: scores.map((score) => score.errorPercent),
    sampleSize: scores.length,
  };
  const names = [...new Set(scores.flatMap((score) => Object.keys(score.baselines)))].sort();
  return [model, ...names.map((name) => scoreBaseline(name, scores))];
}

function scoreBaseline(name: string, scores: readonly ForecastScore[]): ScoredForecaster {
  const own = scores.flatMap((score) => {
    const baseline = score.baselines[name];
    return baseline ? [{ ...baseline, finalCount: score.finalCount }] : [];
  });
  return {
    name,
    crps: own.flatMap(({ crps }) => crps ?? []),
    logScores: own.flatMap(({ bucketLogScore }) => bucketLogScore ?? []),
    errorsPercent: own.flatMap(({ p50, finalCount }) =>
      p50 === null || finalCount === 0 ? [] : [(100 * Math.abs(p50 - finalCount)) / finalCount],
    ),
    sampleSize: own.length,
  };
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return round6(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function fraction(flags: readonly boolean[]): number | null {
  return mean(flags.map((flag) => (flag ? 1 : 0)));
}

export function calibrationRoute({ context, accountParameter, findAccountId, remembered }: RecentScores) {
  return defineRoute({
    path: `${API_PREFIX}/performance/calibration`,
    query: Type.Object({ account: accountParameter }),
    document: {
      operationId: 'getPerformanceCalibration',
      tag: 'Performance',
      summary: 'Predicted vs. observed probabilities',
      ok: objectEnvelope('PerformanceCalibration', Type.Array(CalibrationRecord.schema)),
    },
    async handle({ query, nowTs }) {
      const accountId = findAccountId(query.account);
      const accounts = context.accounts.filter(
        (account) => accountId === undefined || account.accountId === accountId,
      );
      const data = await remembered(`calibration ${accountId}`, async () => {
        const scores = await context.store.scores.list({ accountId });
        const byAccount = Map.groupBy(scores, (score) => score.accountId);
        const records: ReturnType<typeof CalibrationRecord.present>[] = [];
        for (const { accountId: id, segment } of accounts) {
          const byHorizon = Map.groupBy(byAccount.get(id) ?? [], (score) => score.horizonH);
          for (const horizonH of HORIZONS_H) {
            await giveWay();
            const own = byHorizon.get(horizonH) ?? [];
            records.push(CalibrationRecord.present({ segment, horizonH, scores: own }));
          }
        }
        return records;
      });
      return ok({ timestamp: nowTs, data });
    },
  });
}
