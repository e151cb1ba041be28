// A stored forecast with the market prices at the same time.

import type { AccountId } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { computeMarketPrice, type Quote } from '../../domain/quote.ts';
import type { ForecastRecord } from '../../store/ports.ts';
import type { EventAnswer } from './forecast-engine.ts';

export interface ModelIdentity {
  modelVersion: string;
  buildCommit: string;
}

export function toForecastRecord(
  accountId: AccountId,
  answer: EventAnswer,
  marketPrices: readonly (number | null)[],
  identity: ModelIdentity,
): ForecastRecord {
  const {
    eventId,
    asofTs,
    countSoFar,
    p5,
    p50,
    p95,
    distributionFrom,
    distribution,
    bucketProbabilities,
    baselines,
  } = answer;
  return {
    eventId,
    accountId,
    asofTs,
    countSoFar,
    p5,
    p50,
    p95,
    distributionFrom,
    distribution,
    bucketProbabilities,
    marketPrices,
    baselines,
    ...identity,
  };
}

export function listMarketPrices(
  event: MarketEvent,
  quotes: Readonly<Record<string, Quote>>,
): (number | null)[] {
  return event.buckets.map((bucket) => computeMarketPrice(quotes[bucket.yesTokenId], bucket.listedPrice));
}
