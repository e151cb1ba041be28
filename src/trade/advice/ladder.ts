// One event's full ladder for manual sizing: model, market, cost per share, and target shares for a bankroll.

import { findYesBuy } from '../cost.ts';
import { computeEdgePercent } from '../pricing/edge.ts';
import type { BucketSignal, PricedEvent, SignalAction, Verdict } from '../types.ts';

export interface LadderRow {
  bucketLabel: string;
  lo: number;
  hi: number | null;
  tokenId: string;
  modelProbability: number;
  marketPrice: number | null;
  bid: number | null;
  ask: number | null;
  /** Shares displayed at the best bid and the best ask. */
  bidShares: number | null;
  askShares: number | null;
  /** Fee and full cost per share; null if the bucket cannot be bought. */
  feePerShare: number | null;
  costPerShare: number | null;
  edge: number | null;
  edgePercent: number | null;
  ev: number;
  kellyFraction: number;
  targetShares: number;
  targetUsd: number;
  action: SignalAction;
  blendedProbability: number;
  noTokenId: string;
  verdict: Verdict;
  reasons: readonly string[];
}

/** Takes the event's own signals, so that the ladder agrees with them. */
export function buildLadder(event: PricedEvent, signals: readonly BucketSignal[]): LadderRow[] {
  const byToken = new Map(signals.map((signal) => [signal.tokenId, signal]));
  return event.buckets.map((bucket) => {
    const signal = byToken.get(bucket.yesTokenId)!;
    const buy = findYesBuy(bucket);
    const hasPrice = bucket.marketPrice !== null;
    return {
      bucketLabel: bucket.label,
      lo: bucket.lo,
      hi: bucket.hi,
      tokenId: bucket.yesTokenId,
      modelProbability: bucket.modelProbability,
      marketPrice: bucket.marketPrice,
      bid: bucket.yesQuote?.bid ?? null,
      ask: bucket.yesQuote?.ask ?? null,
      bidShares: bucket.yesQuote?.bidShares ?? null,
      askShares: bucket.yesQuote?.askShares ?? null,
      feePerShare: buy.isExecutable ? buy.price.feePerShare : null,
      costPerShare: buy.isExecutable ? buy.price.netPrice : null,
      edge: hasPrice ? signal.edge : null,
      edgePercent: hasPrice ? computeEdgePercent(signal.edge, bucket.marketPrice!) : null,
      ev: signal.ev,
      kellyFraction: signal.kellyFraction,
      targetShares: signal.suggestedShares,
      targetUsd: signal.suggestedBetUsd,
      action: signal.action,
      blendedProbability: signal.blendedProbability,
      noTokenId: bucket.noTokenId,
      verdict: signal.verdict,
      reasons: signal.reasons,
    };
  });
}
