// One event's whole ladder for people who size by hand: what the model and the market say, what a share costs, and
// how many shares a bankroll would hold.

import { findYesBuy } from '../pricing/cost.ts';
import type { PricedEvent, SignalAction, SizingRules } from '../types.ts';
import { computeEdgePercent } from './prediction-signal.ts';
import { buildAccountSignals } from './signals.ts';

export interface LadderRow {
  bucketLabel: string;
  lo: number;
  hi: number | null;
  tokenId: string;
  modelProbability: number;
  marketPrice: number | null;
  bid: number | null;
  ask: number | null;
  /** Shares shown at the ask. */
  askShares: number | null;
  /** Fee and full cost per share; null where the bucket cannot be bought. */
  feePerShare: number | null;
  costPerShare: number | null;
  edge: number | null;
  edgePercent: number | null;
  ev: number;
  kellyFraction: number;
  targetShares: number;
  targetUsd: number;
  action: SignalAction;
  reasons: readonly string[];
}

/** `openEvents` are all open events of the account, so that the ladder is sized as the signals are. */
export function buildLadder(
  event: PricedEvent,
  bankrollUsd: number,
  rules: SizingRules,
  openEvents: readonly PricedEvent[] = [event],
): LadderRow[] {
  const signals = buildAccountSignals(openEvents, bankrollUsd, rules);
  const byToken = new Map(
    signals.find((element) => element.eventId === event.eventId)!.signals.map((s) => [s.tokenId, s]),
  );
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
      reasons: signal.reasons,
    };
  });
}
