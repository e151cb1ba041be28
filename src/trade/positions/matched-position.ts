// A wallet's position matched to its bucket: side, price and probability of winning.

import type { OutcomeSide, WalletPosition } from '../../domain/position.ts';
import { computeMarketPrice } from '../../domain/quote.ts';
import { roundExact, roundMicros } from '../decimal.ts';
import type { PricedBucket, PricedEvent } from '../types.ts';

export interface MatchedPosition {
  eventIndex: number;
  bucketIndex: number;
  bucket: PricedBucket;
  side: OutcomeSide;
  position: WalletPosition;
  /** Price of the held side. */
  currentPrice: number;
  /** Rounded as published, so that readers can recompute edge and percentage from it. */
  winProbability: number;
}

/** Drops positions in other markets. */
export function matchPositions(
  events: readonly PricedEvent[],
  positions: readonly WalletPosition[],
): MatchedPosition[] {
  const homes = new Map<string, { eventIndex: number; bucketIndex: number; side: OutcomeSide }>();
  events.forEach((event, eventIndex) => {
    event.buckets.forEach((bucket, bucketIndex) => {
      homes.set(bucket.yesTokenId, { eventIndex, bucketIndex, side: 'Yes' });
      homes.set(bucket.noTokenId, { eventIndex, bucketIndex, side: 'No' });
    });
  });
  return positions.flatMap((position) => {
    const home = homes.get(position.tokenId);
    if (!home || !(position.shares > 0)) return [];
    const bucket = events[home.eventIndex]!.buckets[home.bucketIndex]!;
    const p = bucket.modelProbability;
    return [
      {
        ...home,
        bucket,
        position,
        currentPrice: findSidePrice(bucket, home.side) ?? position.currentPrice,
        winProbability: roundMicros(home.side === 'Yes' ? p : 1 - p),
      },
    ];
  });
}

/** The No side has its own book; without one, No is worth 1 minus Yes. */
function findSidePrice(bucket: PricedBucket, side: OutcomeSide): number | null {
  if (side === 'Yes') return bucket.marketPrice;
  const complement = bucket.marketPrice === null ? null : roundExact(1 - bucket.marketPrice);
  return computeMarketPrice(bucket.noQuote ?? undefined, complement);
}
