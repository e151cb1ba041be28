// Performance of published forecasts, from stored scores and settled signals.

import type { Annotation, ForecastScore, SignalRecord } from '../../store/ports.ts';
import { computeClassRecord } from '../../trade/record/record.ts';
import type { PlaceOf } from '../records/events.ts';
import { round6 } from '../records/record.ts';

const CLASSES = ['HIGH', 'MEDIUM', 'LOW'] as const;
export const HORIZONS_H = [24, 48, 72] as const;

export function presentOverview(
  scores: readonly ForecastScore[],
  signals: readonly SignalRecord[],
  nowTs: number,
) {
  const record = computeClassRecord(signals);
  const lastScoredTs = Math.max(...scores.map((score) => score.scoredTs), Number.NEGATIVE_INFINITY);
  return {
    error_24h: summariseErrors(scores, 24),
    error_48h: summariseErrors(scores, 48),
    error_72h: summariseErrors(scores, 72),
    win_rate: Object.fromEntries(CLASSES.map((name) => [name, toPercent(record[name].winRate)])),
    win_rate_samples: Object.fromEntries(CLASSES.map((name) => [name, record[name].sampleSize])),
    last_updated: toIso(Number.isFinite(lastScoredTs) ? lastScoredTs : nowTs),
  };
}

function summariseErrors(scores: readonly ForecastScore[], horizonH: number) {
  const errors = scores.filter((score) => score.horizonH === horizonH).map((score) => score.errorPercent);
  return {
    median: interpolateQuantile(errors, 0.5),
    p90: interpolateQuantile(errors, 0.9),
    sample_size: errors.length,
  };
}

function toPercent(rate: number | null): number | null {
  return rate === null ? null : round6(100 * rate);
}

export interface SettledScore {
  score: ForecastScore;
  settledTs: number;
}

export function presentHistory(
  scores: readonly SettledScore[],
  annotations: readonly Annotation[],
  placeOf: PlaceOf,
) {
  const sorted = [...scores].sort(
    (left, right) => left.settledTs - right.settledTs || left.score.eventId - right.score.eventId,
  );
  return {
    data: sorted.map(({ score, settledTs }) => ({
      timestamp: toIso(settledTs),
      error_pct: round6(score.errorPercent),
      event_id: score.eventId,
      ...placeOf(score),
      p50: score.p50,
      final_count: score.finalCount,
      model_version: score.modelVersion,
    })),
    annotations: annotations.map((annotation) => ({
      timestamp: toIso(annotation.ts),
      label: annotation.label,
      commit: annotation.commit,
    })),
  };
}

/** Drops entries older than a time; ISO 8601 times sort as text. */
export function cutHistory(history: ReturnType<typeof presentHistory>, fromTs: number) {
  const from = toIso(fromTs);
  const isYoung = ({ timestamp }: { timestamp: string }) => timestamp >= from;
  return { data: history.data.filter(isYoung), annotations: history.annotations.filter(isYoung) };
}

/** Interpolates linearly between order statistics; null for an empty sample. */
export function interpolateQuantile(values: readonly number[], level: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((left, right) => left - right);
  const at = (sorted.length - 1) * level;
  const low = sorted[Math.floor(at)]!;
  const high = sorted[Math.ceil(at)]!;
  return round6(low + (high - low) * (at - Math.floor(at)));
}

export function toIso(ts: number): string {
  return new Date(ts).toISOString();
}
