// From what is known of an event to what sizing takes. Events without a forecast cannot be priced.

import { computeMarketPrice } from '../domain/quote.ts';
import type { AccountSnapshot, EventState } from '../state/snapshot.ts';
import type { PricedBucket, PricedEvent } from '../trade/types.ts';

export function toPricedEvent(
  snapshot: AccountSnapshot,
  state: EventState,
  nowTs: number,
): PricedEvent | null {
  const { event, forecast } = state;
  if (forecast === null) return null;
  const path = snapshot.jointFinals?.eventIds.indexOf(event.eventId) ?? -1;
  return {
    eventId: event.eventId,
    title: event.title,
    endTs: event.window.endTs,
    secondsRemaining: Math.max(0, Math.floor((event.window.endTs - nowTs) / 1000)),
    p50: forecast.p50,
    modelSd: forecast.modelSd,
    oracleCount: state.counters.oracle,
    uiCount: state.counters.ui,
    buckets: event.buckets.map((_, i) => toPricedBucket(snapshot, state, i)),
    finals: path < 0 ? null : (snapshot.jointFinals?.finals[path] ?? null),
  };
}

function toPricedBucket(snapshot: AccountSnapshot, state: EventState, index: number): PricedBucket {
  const bucket = state.event.buckets[index]!;
  const yesQuote = snapshot.quotes[bucket.yesTokenId] ?? null;
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
    modelProbability: state.forecast?.bucketProbabilities[index] ?? 0,
    marketPrice: computeMarketPrice(yesQuote ?? undefined, bucket.listedPrice),
    yesQuote,
    noQuote: snapshot.quotes[bucket.noTokenId] ?? null,
  };
}
