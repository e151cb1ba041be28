// Value of a wallet's open positions, and the model's view of each.

import type { OutcomeSide, WalletPosition } from '../../domain/position.ts';
import { boundOf } from '../advice/bounds.ts';
import { findExit } from '../advice/decision.ts';
import { describeKeeping } from '../advice/reasons.ts';
import { computeEdgePercent, findNoSell, findYesSell } from '../cost.ts';
import { roundCents, roundExact, roundMicros, subtractExact } from '../decimal.ts';
import type {
  BucketEdge,
  BucketSignal,
  EventPortfolio,
  EventSignals,
  PortfolioSignal,
  PortfolioTotals,
  PositionSizing,
  PricedBucket,
  PricedEvent,
  Recommendation,
  ValuedPosition,
} from '../types.ts';
import { type MatchedPosition, matchPositions } from './matched-position.ts';
import { ABOVE_BANKROLL, computePositionTargets, type PositionTarget } from './position-targets.ts';

/** One element per event, with or without positions. Sizing is included only with a bankroll. */
export function valuePortfolio(
  events: readonly PricedEvent[],
  positions: readonly WalletPosition[],
  advice: { bankrollUsd: number; signals: readonly EventSignals[] } | null,
): EventPortfolio[] {
  const matched = matchPositions(events, positions);
  const sizings = new Map<WalletPosition, PositionSizing>();
  if (advice !== null) {
    for (const target of computePositionTargets(matched, advice.signals, advice.bankrollUsd)) {
      sizings.set(target.matched.position, describeSizing(target));
    }
  }
  return events.map((event, e) => {
    const valued = matched
      .filter((member) => member.eventIndex === e)
      .map((member) => valuePosition(event, member, sizings.get(member.position)));
    return { eventId: event.eventId, positions: valued, totals: addUp(valued) };
  });
}

function valuePosition(
  event: PricedEvent,
  { bucket, side, position, currentPrice, winProbability }: MatchedPosition,
  sizing: PositionSizing | undefined,
): ValuedPosition {
  const currentValueUsd = roundMicros(position.shares * currentPrice);
  const pnlUsd = roundMicros(currentValueUsd - position.costUsd);
  const edge = subtractExact(winProbability, currentPrice);
  const edgePercent = computeEdgePercent(edge, currentPrice);
  return {
    eventId: event.eventId,
    bucketLabel: bucket.label,
    tokenId: position.tokenId,
    side,
    shares: position.shares,
    avgPrice: position.avgPrice,
    costUsd: position.costUsd,
    currentPrice,
    currentValueUsd,
    pnlUsd,
    pnlPercent: position.costUsd > 0 ? roundMicros((100 * pnlUsd) / position.costUsd) : 0,
    winProbability,
    marketImplied: currentPrice,
    edge,
    edgePercent,
    signal: classifyPositionSignal(edgePercent),
    recommendation: classifyRecommendation(edge),
    ...(sizing ? { sizing } : {}),
  };
}

/** Adjustments below a cent are rounding error, not advice. */
function describeSizing({ matched, targetShares, kellyFraction }: PositionTarget): PositionSizing {
  const { position, currentPrice } = matched;
  const adjustmentUsd = roundCents(Math.abs(targetShares - position.shares) * currentPrice);
  const direction = targetShares > position.shares ? 'ADD_MORE' : 'TRIM';
  return {
    targetValueUsd: roundCents(targetShares * currentPrice),
    adjustmentUsd,
    kellyFraction,
    action: adjustmentUsd > 0 ? direction : 'HOLD',
  };
}

function addUp(positions: readonly ValuedPosition[]): PortfolioTotals {
  const total = (pick: (position: ValuedPosition) => number) =>
    roundMicros(positions.reduce((sum, position) => sum + pick(position), 0));
  const totalCostUsd = total((position) => position.costUsd);
  const currentValueUsd = total((position) => position.currentValueUsd);
  const totalPnlUsd = roundMicros(currentValueUsd - totalCostUsd);
  return {
    totalPositions: positions.length,
    totalCostUsd,
    currentValueUsd,
    totalPnlUsd,
    totalPnlPercent: totalCostUsd > 0 ? roundMicros((100 * totalPnlUsd) / totalCostUsd) : 0,
  };
}

// The two tables that classify a held position. Each row applies when no row above it does.

export function classifyPositionSignal(edgePercent: number): PortfolioSignal {
  const percent = roundExact(edgePercent);
  if (percent > 30) return 'STRONG_BUY';
  if (percent > 10) return 'BUY';
  if (percent > 0) return 'HOLD';
  return percent > -10 ? 'AVOID' : 'SELL';
}

export function classifyRecommendation(edge: number): Recommendation {
  const exact = roundExact(edge);
  if (exact > 0.2) return 'STRONG_HOLD';
  if (exact > 0.05) return 'HOLD';
  return exact > -0.05 ? 'MONITOR' : 'CONSIDER_SELLING';
}

// The bucket's signal as a holder reads it. If no trade is advised, the reason is why to keep the shares, not
// why to buy none.

type Held = Pick<ValuedPosition, 'eventId' | 'bucketLabel' | 'side' | 'sizing'>;

/** The returned function gives null for a closed bucket, which has no signal. */
export function createHolderSignals(
  events: readonly PricedEvent[],
  advice: readonly EventSignals[],
): (position: Held) => BucketSignal | null {
  return ({ eventId, bucketLabel, side, sizing }) => {
    const event = advice.find((one) => one.eventId === eventId);
    const signal = event?.signals.find((one) => one.bucketLabel === bucketLabel);
    if (!event || !signal) return null;
    const priced = events.find((one) => one.eventId === eventId);
    const bucket = priced?.buckets.find(({ label }) => label === bucketLabel);
    if (!priced || !bucket || event.blindness !== null) return signal;
    const count = Math.max(priced.realCount ?? 0, priced.oracleCount ?? 0);
    return addressHolder(signal, bucket, side, count, sizing?.action === 'TRIM');
  };
}

function addressHolder(
  signal: BucketSignal,
  bucket: PricedBucket,
  side: OutcomeSide,
  count: number,
  isReduced: boolean,
): BucketSignal {
  const { verdict, basis } = signal;
  if (verdict.kind !== 'nothing' || findExit(bucket, basis, side) !== null) return signal;
  const isLost = side === 'Yes' && basis.fact !== null && bucket.hi !== null && bucket.hi < count;
  const why = basis.fact ?? explainKeeping(bucket, basis, side);
  const [what, reason] = isLost ? ['Lost', why] : isReduced ? ['Reduce', ABOVE_BANKROLL] : ['Keep', why];
  const sentence = `${what}: ${reason}`;
  const reasons = verdict.reasons.map((one) => (one === verdict.abstainReason ? reason : one));
  return { ...signal, verdict: { ...verdict, abstainReason: reason, sentence, reasons } };
}

/** No sale is proven: either its proceeds are below the share's value, or below what the value may be. */
function explainKeeping(bucket: PricedBucket, edge: BucketEdge, side: OutcomeSide): string {
  if (edge.halt !== null) return edge.halt;
  const sale = side === 'Yes' ? findYesSell(bucket) : findNoSell(bucket);
  if (!sale.isExecutable) return sale.problem;
  const value = side === 'Yes' ? edge.worth : 1 - edge.worth;
  const upper = 1 - boundOf(edge, bucket, side === 'Yes' ? 'No' : 'Yes');
  return describeKeeping(sale.price.netPrice, value, upper);
}
