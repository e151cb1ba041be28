// Converts a ladder from the price file for the adviser; all assumptions about missing values are here.

import { type BucketRange, computeSecondsRemaining, type FeeSchedule } from '../../domain/market-event.ts';
import { bucketProbabilities } from '../../forecast/distribution/distribution.ts';
import type { CountDistribution } from '../../forecast/types.ts';
import { roundMicros } from '../decimal.ts';
import { MIN_REST, USUAL_SUM } from '../edges/blend.ts';
import type { PricedBucket, PricedEvent } from '../types.ts';
import type { LadderSnapshot, PricePoint } from './price-file.ts';

export interface BookAssumptions {
  fee: FeeSchedule;
  /** Half-spread to assume if the file has no ask or bid. */
  halfSpread: number;
}

/** Model and prices of the listed buckets; a partial ladder gets one extra entry for all other counts. */
export function completeLadder(
  points: readonly PricePoint[],
  distribution: CountDistribution,
  countSoFar: number,
): { model: number[]; prices: number[] } {
  const gaps = listGaps(points, countSoFar);
  const all = bucketProbabilities(distribution, [...points, ...gaps], countSoFar);
  const model = all.slice(0, points.length);
  const prices = points.map((point) => point.price);
  if (gaps.length === 0) return { model, prices };
  const rest = 1 - prices.reduce((sum, price) => sum + price, 0) / USUAL_SUM;
  const modelRest = all.slice(points.length).reduce((sum, p) => sum + p, 0);
  return {
    model: [...model, Math.max(MIN_REST, modelRest)],
    prices: [...prices, Math.max(MIN_REST, rest)],
  };
}

/** Count ranges that no bucket covers but that can still be reached. */
function listGaps(points: readonly PricePoint[], countSoFar: number): BucketRange[] {
  const gaps: BucketRange[] = [];
  let next = 0;
  for (const { lo, hi } of points) {
    if (lo > next) gaps.push({ lo: next, hi: lo - 1 });
    if (hi === null) return gaps.filter((gap) => gap.hi === null || gap.hi >= countSoFar);
    next = hi + 1;
  }
  return [...gaps, { lo: next, hi: null }].filter((gap) => gap.hi === null || gap.hi >= countSoFar);
}

export function toPricedEvent(
  eventId: number,
  { window, ts, points }: LadderSnapshot,
  model: readonly number[],
  forecast: { p50: number; modelSd: number },
  countSoFar: number,
  assumed: BookAssumptions,
): PricedEvent {
  return {
    eventId,
    title: `${window.startTs} to ${window.endTs}`,
    startTs: window.startTs,
    endTs: window.endTs,
    secondsRemaining: computeSecondsRemaining(window.endTs, ts),
    p50: forecast.p50,
    modelSd: forecast.modelSd,
    realCount: countSoFar,
    oracleCount: countSoFar,
    uiCount: null,
    buckets: points.map((point, i) => toPricedBucket(point, model[i]!, assumed, ts)),
    finals: null,
  };
}

export function toPricedBucket(
  point: PricePoint,
  modelProbability: number,
  { fee, halfSpread }: BookAssumptions,
  observedTs: number,
): PricedBucket {
  const { label, lo, hi, price, size } = point;
  const ask = point.ask ?? roundMicros(price + halfSpread);
  const bid = point.bid ?? roundMicros(Math.max(0, price - halfSpread));
  const noTokenId = `no ${label}`;
  const depth = { bidShares: size, askShares: size, lastTradePrice: null, observedTs };
  const between = (value: number) => (value > 0 && value < 1 ? value : null);
  return {
    label,
    lo,
    hi,
    yesTokenId: label,
    noTokenId,
    // A price of 0 or 1 means the bucket has been decided.
    isOpen: price > 0 && price < 1,
    tickSize: 0.001,
    minOrderShares: 5,
    fee,
    modelProbability,
    marketPrice: price,
    yesQuote: { tokenId: label, ask: between(ask), bid: between(bid), ...depth },
    // The two sides of one book mirror each other.
    noQuote: {
      tokenId: noTokenId,
      ask: between(roundMicros(1 - bid)),
      bid: between(roundMicros(1 - ask)),
      ...depth,
    },
  };
}
