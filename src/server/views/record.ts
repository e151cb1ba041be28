// The complete performance record: forward and recomputed forecasts, with intervals and sample sizes.

import { isRecomputed } from '../../domain/scored-horizons.ts';
import { intervalOf, resampleBlocks } from '../../forecast/scoring/block-bootstrap.ts';
import { createRandom, type Random } from '../../runtime/random.ts';
import type { Seal } from '../../sealing/seal.ts';
import type { ForecastScore, SignalRecord } from '../../store/ports.ts';
import { compareForecasters, type Estimate, rankMembers } from '../../trade/record/compare-forecasters.ts';
import { keepLedger } from '../../trade/record/paper-ledger.ts';
import { computeReliability } from '../../trade/record/reliability.ts';
import type { PlaceOf } from '../records/events.ts';
import { round6 } from '../records/record.ts';
import { HORIZONS_H, interpolateQuantile } from './performance.ts';

/** Fixed seed, so that the same scores always have the same resampled intervals. */
const SEED = 1;
const RESAMPLES = 500;
const LEAST_EVENTS = 3;

export interface RecordParts {
  scores: readonly ForecastScore[];
  signals: readonly SignalRecord[];
  newestSeal: Seal | undefined;
  horizonH: number;
  account: string | null;
  placeOf: PlaceOf;
  nowTs: number;
}

export function presentRecord(parts: RecordParts) {
  const { scores, horizonH, account, newestSeal, nowTs } = parts;
  const section = (isOwn: (score: ForecastScore) => boolean) =>
    presentSection(scores.filter(isOwn), horizonH, parts.placeOf);
  return {
    timestamp: nowTs,
    horizon: horizonH,
    account,
    forward: section((score) => !isRecomputed(score)),
    recomputed: section(isRecomputed),
    advice: presentAdvice(parts.signals),
    newest_seal: newestSeal ? { hour_ts: newestSeal.hourTs, chain: newestSeal.chain } : null,
  };
}

export type PresentedRecord = ReturnType<typeof presentRecord>;

function presentSection(scores: readonly ForecastScore[], horizonH: number, placeOf: PlaceOf) {
  const random = createRandom(SEED);
  const own = scores
    .filter((score) => score.horizonH === horizonH)
    .sort((left, right) => left.endTs - right.endTs || left.eventId - right.eventId);
  return {
    events: own.length,
    first_end_ts: own[0]?.endTs ?? null,
    last_end_ts: own.at(-1)?.endTs ?? null,
    forecasters: compareForecasters(own, random).map(({ name, logScore, rankedScore, returnOnStake }) => ({
      name,
      log_score: presentEstimate(logScore),
      ranked_score: presentEstimate(rankedScore),
      return_on_stake: presentEstimate(returnOnStake),
    })),
    members: rankMembers(own, random).map(({ name, crps, logScore }) => ({
      name,
      crps: presentEstimate(crps),
      log_score: presentEstimate(logScore),
    })),
    by_lead: HORIZONS_H.map((lead) => presentLead(scores, lead, random)),
    reliability: computeReliability(own, random).map((bin) => ({
      from: bin.from,
      to: bin.to,
      mean_probability: maybeRound(bin.meanProbability),
      won_fraction: maybeRound(bin.wonFraction),
      low: maybeRound(bin.interval?.lo ?? null),
      high: maybeRound(bin.interval?.hi ?? null),
      buckets: bin.buckets,
      events: bin.events,
    })),
    points: own.map((score) => presentPoint(score, placeOf)),
  };
}

function presentPoint(score: ForecastScore, placeOf: PlaceOf) {
  return {
    event_id: score.eventId,
    ...placeOf(score),
    end_ts: score.endTs,
    p50: score.p50,
    final_count: score.finalCount,
    error_pct: round6(score.errorPercent),
    inside_90: score.isInside90,
    log_score: round6(score.bucketLogScore),
    market_log_score: maybeRound(score.baselines.market?.bucketLogScore ?? null),
  };
}

function presentLead(scores: readonly ForecastScore[], horizon: number, random: Random) {
  const errors = scores.filter((score) => score.horizonH === horizon).map((score) => score.errorPercent);
  const median = interpolateQuantile(errors, 0.5);
  const interval =
    errors.length < LEAST_EVENTS
      ? null
      : intervalOf(
          resampleBlocks(errors.length, 1, RESAMPLES, random, (indexes) =>
            middleOf(Array.from(indexes, (i) => errors[i]!)),
          ),
        );
  return {
    horizon,
    median_error_pct: median,
    low: maybeRound(interval?.lo ?? null),
    high: maybeRound(interval?.hi ?? null),
    events: errors.length,
  };
}

function middleOf(values: readonly number[]): number {
  return interpolateQuantile(values, 0.5) ?? 0;
}

function presentAdvice(signals: readonly SignalRecord[]) {
  const ledger = keepLedger(signals, createRandom(SEED));
  return {
    bets: ledger.bets,
    events: ledger.events,
    return_on_stake: maybeRound(ledger.returnOnStake),
    low: maybeRound(ledger.returnInterval?.lo ?? null),
    high: maybeRound(ledger.returnInterval?.hi ?? null),
  };
}

function presentEstimate({ mean, interval, events }: Estimate) {
  return {
    mean: maybeRound(mean),
    low: maybeRound(interval?.lo ?? null),
    high: maybeRound(interval?.hi ?? null),
    events,
  };
}

function maybeRound(value: number | null): number | null {
  return value === null ? null : round6(value);
}
