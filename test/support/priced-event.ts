// Builds priced events for tests.

import { profileOfLetter } from '../../src/domain/account-profile.ts';
import type { WalletPosition } from '../../src/domain/position.ts';
import type { Quote } from '../../src/domain/quote.ts';
import type { EdgeEvidence } from '../../src/domain/standing-advice.ts';
import { getSizingRules } from '../../src/trade/sizing/sizing-rules.ts';
import type { PricedBucket, PricedEvent } from '../../src/trade/types.ts';

export function quoteOf(tokenId: string, bid: number | null, ask: number | null, shares = 1_000): Quote {
  return {
    tokenId,
    bid,
    ask,
    bidShares: bid === null ? null : shares,
    askShares: ask === null ? null : shares,
    lastTradePrice: null,
    observedTs: 0,
  };
}

export function bucketOf(lo: number, p: number, change: Partial<PricedBucket> = {}): PricedBucket {
  const label = `${lo}-${lo + 19}`;
  const yesTokenId = `yes-${lo}`;
  const noTokenId = `no-${lo}`;
  return {
    label,
    lo,
    hi: lo + 19,
    yesTokenId,
    noTokenId,
    isOpen: true,
    tickSize: 0.01,
    minOrderShares: 5,
    fee: { rate: 0.05, exponent: 1 },
    modelProbability: p,
    marketPrice: 0.3,
    yesQuote: quoteOf(yesTokenId, 0.29, 0.31),
    noQuote: quoteOf(noTokenId, 0.69, 0.71),
    ...change,
  };
}

/** Bid and ask one cent below and above a price, on both sides. */
export function pricedAt(
  lo: number,
  p: number,
  price: number,
  change: Partial<PricedBucket> = {},
): PricedBucket {
  return bucketOf(lo, p, {
    marketPrice: price,
    yesQuote: quoteOf(`yes-${lo}`, round(price - 0.01), round(price + 0.01)),
    noQuote: quoteOf(`no-${lo}`, round(1 - price - 0.01), round(1 - price + 0.01)),
    ...change,
  });
}

export function eventOf(buckets: readonly PricedBucket[], change: Partial<PricedEvent> = {}): PricedEvent {
  return {
    eventId: 1,
    title: 'posts this week',
    startTs: 0,
    endTs: 100_000_000,
    secondsRemaining: 36_000,
    p50: 250,
    modelSd: 0.002,
    realCount: null,
    oracleCount: 230,
    uiCount: 228,
    buckets,
    finals: null,
    // Use the model alone and treat it as certain, so that sizes can be checked by hand.
    evidence: evidenceOf(1),
    ...change,
  };
}

/** Gives every gap this weight and standard deviation. */
export function evidenceOf(weight: number, sd = 0): EdgeEvidence {
  const mean = [weight, weight, 0, 0, 0];
  const covariance = mean.map((_, a) => mean.map((_, b) => (a === b && a < 2 ? sd * sd : 0)));
  return { mean, covariance, events: 12, informationPerEvent: 0.03, halt: null };
}

export function positionOf(
  tokenId: string,
  shares: number,
  change: Partial<WalletPosition> = {},
): WalletPosition {
  return {
    wallet: `0x${'1'.repeat(40)}`,
    tokenId,
    conditionId: 'c',
    eventId: 1,
    eventSlug: null,
    side: 'Yes',
    shares,
    avgPrice: 0.25,
    costUsd: shares * 0.25,
    currentPrice: 0.3,
    currentValueUsd: shares * 0.3,
    isRedeemable: false,
    ...change,
  };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** A cheap, three nearly fair and an expensive bucket. */
export function fiveBuckets(): PricedEvent {
  return eventOf([
    pricedAt(200, 0.12, 0.1),
    pricedAt(220, 0.25, 0.24),
    pricedAt(240, 0.42, 0.3),
    pricedAt(260, 0.16, 0.24),
    pricedAt(280, 0.05, 0.06, { hi: null, label: '280+' }),
  ]);
}

/** Rules of account A, which may sell. */
export const RULES = getSizingRules(profileOfLetter('a'));
