// One event's full ladder for manual sizing: model, market, cost per share, and target shares for a bankroll.

import type { BucketRange } from '../../domain/market-event.ts';
import type { Quote } from '../../domain/quote.ts';
import { computeEdgePercent } from '../cost.ts';
import type { BucketSignal, PricedEvent } from '../types.ts';

export interface LadderRow
  extends Omit<BucketSignal, 'marketPrice' | 'edge' | 'suggestedShares' | 'suggestedBetUsd'>,
    BucketRange,
    Pick<Quote, 'bid' | 'ask' | 'bidShares' | 'askShares'> {
  /** null if the market shows no price. */
  marketPrice: number | null;
  edge: number | null;
  edgePercent: number | null;
  targetShares: number;
  targetUsd: number;
}

/** Takes the event's own signals, so that the ladder agrees with them. */
export function buildLadder(event: PricedEvent, signals: readonly BucketSignal[]): LadderRow[] {
  const byToken = new Map(signals.map((signal) => [signal.tokenId, signal]));
  return event.buckets.map(({ lo, hi, yesTokenId, marketPrice, yesQuote }) => {
    const { suggestedShares, suggestedBetUsd, ...signal } = byToken.get(yesTokenId)!;
    return {
      ...signal,
      lo,
      hi,
      marketPrice,
      bid: yesQuote?.bid ?? null,
      ask: yesQuote?.ask ?? null,
      bidShares: yesQuote?.bidShares ?? null,
      askShares: yesQuote?.askShares ?? null,
      edge: marketPrice === null ? null : signal.edge,
      edgePercent: marketPrice === null ? null : computeEdgePercent(signal.edge, marketPrice),
      targetShares: suggestedShares,
      targetUsd: suggestedBetUsd,
    };
  });
}
