// Value of a wallet's open positions, and the model's view of each.

import type { WalletPosition } from '../../domain/position.ts';
import { roundCents, roundMicros, subtractExact } from '../decimal.ts';
import { computeEdgePercent } from '../pricing/edge.ts';
import type {
  EventPortfolio,
  EventSignals,
  PortfolioTotals,
  PositionSizing,
  PricedEvent,
  ValuedPosition,
} from '../types.ts';
import { type MatchedPosition, matchPositions } from './matched-position.ts';
import { classifyPositionSignal, classifyRecommendation } from './position-tables.ts';
import { computePositionTargets, type PositionTarget } from './position-targets.ts';

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
