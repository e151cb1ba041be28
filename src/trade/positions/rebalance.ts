// Which held positions to increase or trim, and by how much; changes below the threshold are dropped.

import type { WalletPosition } from '../../domain/position.ts';
import { describeBuy, describeSell, percent, usd } from '../advice/reasons.ts';
import { findNoBuy, findNoSell, findYesBuy, findYesSell } from '../cost.ts';
import { roundCents, roundExact, roundMicros, subtractExact } from '../decimal.ts';
import type { EventSignals, PricedEvent, RebalancingPosition, SizingRules } from '../types.ts';
import { matchPositions } from './matched-position.ts';
import { ABOVE_BANKROLL, computePositionTargets, type PositionTarget } from './position-targets.ts';

export interface EventRebalancing {
  eventId: number;
  positions: RebalancingPosition[];
}

/** Lists every event; an event without advice has no positions. */
export function rebalancePositions(
  events: readonly PricedEvent[],
  positions: readonly WalletPosition[],
  advice: { bankrollUsd: number; signals: readonly EventSignals[]; rules: SizingRules },
  thresholdUsd: number,
): EventRebalancing[] {
  const { bankrollUsd, signals, rules } = advice;
  const matched = matchPositions(events, positions);
  const targets = computePositionTargets(matched, signals, bankrollUsd);
  return events.map((event, e) => ({
    eventId: event.eventId,
    positions: targets
      .filter((target) => target.matched.eventIndex === e)
      .map((target) => describeAdjustment(target, bankrollUsd, rules))
      .filter((advice) => advice.adjustmentUsd > 0 && advice.adjustmentUsd >= thresholdUsd),
  }));
}

function describeAdjustment(
  { matched, targetShares }: PositionTarget,
  bankrollUsd: number,
  rules: SizingRules,
): RebalancingPosition {
  const { bucket, side, position, currentPrice, winProbability } = matched;
  const change = targetShares - position.shares;
  const adjustmentUsd = roundCents(Math.abs(change) * currentPrice);
  const action = change > 0 ? 'ADD_MORE' : 'TRIM';
  return {
    bucketLabel: bucket.label,
    side,
    tokenId: position.tokenId,
    action,
    currentValueUsd: roundCents(position.shares * currentPrice),
    targetValueUsd: roundCents(targetShares * currentPrice),
    adjustmentUsd,
    adjustmentShares: roundMicros(Math.abs(change)),
    currentPrice,
    winProbability,
    edge: subtractExact(winProbability, currentPrice),
    reasons: [
      isReducedToBankroll(action, targetShares) ? ABOVE_BANKROLL : explainPrice(matched, action),
      `you hold ${usd(position.shares * currentPrice)}; the target is ${usd(targetShares * currentPrice)} (${percent(rules.kellyLambda)} Kelly, bankroll ${usd(bankrollUsd)})`,
      ...(roundExact(targetShares) === 0 ? ['sell the whole position at the bid'] : []),
    ],
  };
}

/** Every other reduction sells the whole position. */
function isReducedToBankroll(action: string, targetShares: number): boolean {
  return action === 'TRIM' && roundExact(targetShares) > 0;
}

function explainPrice({ bucket, side, winProbability }: PositionTarget['matched'], action: string): string {
  if (action === 'ADD_MORE') {
    const buy = side === 'Yes' ? findYesBuy(bucket) : findNoBuy(bucket);
    return buy.isExecutable
      ? `${side}: ${describeBuy(winProbability, buy.price)}`
      : `${side}: ${buy.problem}`;
  }
  const sell = side === 'Yes' ? findYesSell(bucket) : findNoSell(bucket);
  return sell.isExecutable
    ? `${side}: ${describeSell(winProbability, sell.price)}`
    : `${side}: ${sell.problem}`;
}
