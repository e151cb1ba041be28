// Converts an event's state into the input for sizing. An event without a forecast cannot be priced.

import type { ContractTerms } from '../../domain/contract.ts';
import type { Counters } from '../../domain/counters.ts';
import type { EdgeEvidence } from '../../domain/edge-evidence.ts';
import type { FeedStatus } from '../../domain/feed.ts';
import { computeSecondsRemaining, type MarketBucket, type MarketEvent } from '../../domain/market-event.ts';
import { computeMarketPrice, type Quote } from '../../domain/quote.ts';
import type { StandingAdviceByEvent } from '../../domain/standing-advice.ts';
import type { PricedBucket, PricedEvent } from '../types.ts';
import { findBlindness } from './grounds.ts';

export interface PriceableEvent {
  event: MarketEvent;
  counters: Counters;
  oracleUpdatedTs: number | null;
  forecast: {
    asofTs: number;
    p50: number;
    modelSd: number;
    bucketProbabilities: readonly number[];
    contract?: { changeRate: number };
  } | null;
}

export interface PriceableAccount {
  feeds: readonly FeedStatus[];
  isPastMissing?: boolean;
  /** Terms for events without their own. */
  terms?: ContractTerms;
  quotes: Readonly<Record<string, Quote>>;
  jointFinals: { eventIds: readonly number[]; finals: readonly (readonly number[])[] } | null;
  /** Edge evidence from settled events; the shipped prior if absent. */
  evidence?: EdgeEvidence;
  /** Current advice; absent before the first evaluation. */
  standing?: StandingAdviceByEvent;
}

export function priceEvent(
  account: PriceableAccount,
  { event, counters, oracleUpdatedTs, forecast }: PriceableEvent,
  nowTs: number,
): PricedEvent | null {
  if (forecast === null) return null;
  const standing = account.standing?.[String(event.eventId)];
  const rule = (event.terms ?? account.terms)?.countingRule;
  const path = account.jointFinals?.eventIds.indexOf(event.eventId) ?? -1;
  return {
    eventId: event.eventId,
    title: event.title,
    startTs: event.window.startTs,
    endTs: event.window.endTs,
    secondsRemaining: computeSecondsRemaining(event.window.endTs, nowTs),
    p50: forecast.p50,
    modelSd: forecast.modelSd,
    realCount: counters.real,
    oracleCount: counters.oracle,
    uiCount: counters.ui,
    ...(rule && { rule }),
    buckets: event.buckets.map((bucket, i) =>
      priceBucket(bucket, forecast.bucketProbabilities[i] ?? 0, account.quotes),
    ),
    ...(forecast.contract && { changeRate: forecast.contract.changeRate }),
    ...(account.evidence && { evidence: account.evidence }),
    ...(standing && { standing }),
    blindness: findBlindness(
      {
        feeds: account.feeds,
        venue: event.terms?.venue,
        oracleUpdatedTs,
        forecastAsofTs: forecast.asofTs,
        isPastMissing: account.isPastMissing ?? false,
      },
      nowTs,
    ),
    finals: path < 0 ? null : (account.jointFinals?.finals[path] ?? null),
  };
}

function priceBucket(
  bucket: MarketBucket,
  modelProbability: number,
  quotes: Readonly<Record<string, Quote>>,
): PricedBucket {
  const yesQuote = quotes[bucket.yesTokenId] ?? null;
  return {
    label: bucket.label,
    lo: bucket.lo,
    hi: bucket.hi,
    yesTokenId: bucket.yesTokenId,
    noTokenId: bucket.noTokenId,
    isOpen: bucket.isOpen,
    tickSize: bucket.tickSize,
    minOrderShares: bucket.minOrderShares,
    fee: bucket.fee,
    modelProbability,
    marketPrice: computeMarketPrice(yesQuote ?? undefined, bucket.listedPrice),
    yesQuote,
    noQuote: quotes[bucket.noTokenId] ?? null,
  };
}
