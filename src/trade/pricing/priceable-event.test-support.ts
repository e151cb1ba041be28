// A two-bucket event with a fresh forecast.

import { sampleEvent } from '../../../test/store/samples.ts';
import type { MarketBucket } from '../../domain/market-event.ts';
import type { PriceableEvent } from './price-event.ts';

function marketBucket(eventId: number, lo: number): MarketBucket {
  return {
    label: `${lo}-${lo + 19}`,
    lo,
    hi: lo + 19,
    marketId: `m-${lo}`,
    conditionId: `c-${lo}`,
    yesTokenId: `${eventId}-yes-${lo}`,
    noTokenId: `${eventId}-no-${lo}`,
    isOpen: true,
    tickSize: 0.01,
    minOrderShares: 5,
    fee: { rate: 0, exponent: 1 },
    listedPrice: 0.3,
  };
}

export function priceableEvent(
  eventId: number,
  endTs: number,
  nowTs: number,
  change: Partial<PriceableEvent> = {},
): PriceableEvent {
  return {
    event: sampleEvent({
      eventId,
      window: { startTs: 0, endTs },
      buckets: [marketBucket(eventId, 0), marketBucket(eventId, 20)],
    }),
    counters: { real: 12, oracle: 11, ui: 10 },
    oracleUpdatedTs: nowTs,
    forecast: { asofTs: nowTs, p50: 21, modelSd: 0.02, bucketProbabilities: [0.3, 0.7] },
    ...change,
  };
}
