// Scores a forecast, every baseline and the market prices at that time against the final count. Pure.

import type { MarketEvent } from '../../domain/market-event.ts';
import { isRecomputed, listHorizons, SCORED_HORIZONS_H } from '../../domain/scored-horizons.ts';
import { HOUR_MS } from '../../domain/units.ts';
import { bucketProbabilities, percentile } from '../../forecast/distribution/distribution.ts';
import { bucketLogScore, crps, logScore, pitInterval } from '../../forecast/scoring/proper-scores.ts';
import type { CountDistribution } from '../../forecast/types.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import type { ForecastRecord, ForecastScore, Store } from '../../store/ports.ts';
import { readMarket } from '../../trade/edges/blend.ts';

/** The same floor for model and market, so that a surprise does not have an infinite score. */
const PROBABILITY_FLOOR = 1e-4;

/** An event's result: the oracle's count, and the bucket that paid. */
export interface Outcome {
  finalCount: number;
  winningLabel: string | null;
}

export function scoreForecast(
  record: ForecastRecord,
  event: MarketEvent,
  horizonH: number,
  { finalCount, winningLabel }: Outcome,
  scoredTs: number,
): ForecastScore {
  const distribution = toDistribution(record);
  // Bucket scores use the bucket that paid; count scores use the final count.
  const paid = event.buckets.findIndex(({ label }) => label === winningLabel);
  const winner = paid < 0 ? findWinner(event, finalCount) : paid;
  const pit = pitInterval(distribution, finalCount);
  return {
    eventId: record.eventId,
    accountId: record.accountId,
    horizonH,
    endTs: event.window.endTs,
    finalCount,
    p50: record.p50,
    // For an event without posts, divide by one post to avoid dividing by zero.
    errorPercent: (100 * Math.abs(record.p50 - finalCount)) / Math.max(1, finalCount),
    crps: crps(distribution, finalCount),
    logScore: logScore(distribution, finalCount),
    bucketLogScore: scoreBuckets(record.bucketProbabilities, winner),
    pitLow: pit.lo,
    pitHigh: pit.hi,
    isInside50: isInsideBand(distribution, finalCount, 0.25),
    isInside90: isInsideBand(distribution, finalCount, 0.05),
    buckets: event.buckets.map((_, i) => ({
      probability: record.bucketProbabilities[i] ?? 0,
      won: i === winner,
      marketPrice: record.marketPrices[i] ?? null,
    })),
    baselines: scoreBaselines(record, event, finalCount, winner),
    modelVersion: record.modelVersion,
    scoredTs,
  };
}

export function findWinner(event: MarketEvent, finalCount: number): number {
  return event.buckets.findIndex(({ lo, hi }) => finalCount >= lo && (hi === null || finalCount <= hi));
}

function toDistribution({
  distributionFrom,
  distribution,
}: {
  distributionFrom: number;
  distribution: ArrayLike<number>;
}): CountDistribution {
  return { from: distributionFrom, pmf: Float64Array.from(distribution) };
}

function isInsideBand(distribution: CountDistribution, y: number, tail: number): boolean {
  return percentile(distribution, tail) <= y && y <= percentile(distribution, 1 - tail);
}

function scoreBuckets(probabilities: readonly number[], winner: number): number {
  return bucketLogScore(
    probabilities.map((p) => Math.max(PROBABILITY_FLOOR, p)),
    winner,
  );
}

function scoreBaselines(
  record: ForecastRecord,
  event: MarketEvent,
  finalCount: number,
  winner: number,
): ForecastScore['baselines'] {
  const scores: Record<string, ForecastScore['baselines'][string]> = {};
  for (const [name, baseline] of Object.entries(record.baselines ?? {})) {
    const distribution = toDistribution(baseline);
    const probabilities = bucketProbabilities(distribution, event.buckets, record.countSoFar);
    scores[name] = {
      crps: crps(distribution, finalCount),
      bucketLogScore: scoreBuckets(probabilities, winner),
      p50: baseline.p50,
    };
  }
  const market = readMarket(record.bucketProbabilities, record.marketPrices);
  if (market) scores.market = { crps: null, bucketLogScore: scoreBuckets(market, winner), p50: null };
  return scores;
}

// Scores an event's forecasts at the scored horizons and stores the scores. Requests are served in between.

/** An older forecast was no longer current: the service was down. */
const STANDING_MS = 2 * HOUR_MS;

/** Returns the scores; a revised outcome replaces earlier ones. */
export async function scoreEvent(
  store: Pick<Store, 'forecasts' | 'scores'>,
  event: MarketEvent,
  outcome: Outcome,
  scoredTs: number,
): Promise<ForecastScore[]> {
  const scores: ForecastScore[] = [];
  for (const { horizonH, ts } of listHorizons(event.window)) {
    const record = await store.forecasts.standingAt(event.eventId, ts);
    if (!record || record.asofTs < ts - STANDING_MS) continue;
    // A ladder that has changed since then cannot be scored by bucket.
    if (record.bucketProbabilities.length !== event.buckets.length) continue;
    scores.push(scoreForecast(record, event, horizonH, outcome, scoredTs));
    await takeBackgroundTurn();
  }
  if (!scores.some(isPriced)) scores.push(...(await scorePriced(store, event, outcome, scoredTs)));
  if (scores.length > 0) await store.scores.upsert(scores);
  return scores;
}

/** Recomputed forecasts without the distributions that scoring will not read; these take most of the disk. */
export function dropUnscored(
  records: readonly ForecastRecord[],
  event: MarketEvent,
  isHorizonPriced = false,
): ForecastRecord[] {
  const horizons = new Set(listHorizons(event.window).map(({ ts }) => ts));
  const isScored = ({ asofTs }: ForecastRecord) => horizons.has(asofTs);
  const isQuoted = ({ marketPrices }: ForecastRecord) => marketPrices.some((price) => price !== null);
  // Without a priced horizon, the priced moments are scored.
  if (!isHorizonPriced && !records.some((record) => isScored(record) && isQuoted(record)))
    return [...records];
  return records.map((record) =>
    isScored(record) ? record : { ...record, distribution: [], baselines: null },
  );
}

function isPriced({ buckets }: Pick<ForecastScore, 'buckets'>): boolean {
  return buckets.some(({ marketPrice }) => marketPrice !== null);
}

const HORIZONS: readonly number[] = SCORED_HORIZONS_H;

/** The venue may keep prices only once a day: then recomputed forecasts at these times are scored as well. */
async function scorePriced(
  store: Pick<Store, 'forecasts'>,
  event: MarketEvent,
  outcome: Outcome,
  scoredTs: number,
): Promise<ForecastScore[]> {
  const byLead = new Map<number, ForecastScore>();
  for (const { leadH, record } of await listPricedMoments(store, event)) {
    if (record.distribution.length > 0)
      byLead.set(leadH, scoreForecast(record, event, leadH, outcome, scoredTs));
  }
  return [...byLead.values()];
}

interface PricedMoment {
  leadH: number;
  /** Pruning drops the distribution of older forecasts, except at the horizons. */
  record: ForecastRecord;
}

/** Recomputed forecasts with prices outside the horizons. */
async function listPricedMoments(
  { forecasts }: Pick<Store, 'forecasts'>,
  event: MarketEvent,
): Promise<PricedMoment[]> {
  const { startTs: fromTs, endTs: untilTs } = event.window;
  const points = await forecasts.listPoints(event.eventId, { fromTs, untilTs, limit: 1_000, isHourly: true });
  const moments: PricedMoment[] = [];
  for (const point of points) {
    const leadH = Math.round((untilTs - point.asofTs) / HOUR_MS);
    if (!isRecomputed(point) || HORIZONS.includes(leadH) || point.marketPrices.every((p) => p === null))
      continue;
    const record = await forecasts.standingAt(event.eventId, point.asofTs);
    if (!record || record.bucketProbabilities.length !== event.buckets.length) continue;
    moments.push({ leadH, record });
  }
  return moments;
}
