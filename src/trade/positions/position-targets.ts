// Target shares for each held position. BUY verdict: the holding, or more if an account without holdings
// would buy more. If a sale pays more than the upper bound of the position's value: 0. Otherwise: the
// holding.

import { findExit } from '../advice/decision.ts';
import { findNoBuy, findNoSell, findYesBuy, findYesSell } from '../cost.ts';
import type { BucketSignal, EventSignals } from '../types.ts';
import type { MatchedPosition } from './matched-position.ts';

export interface PositionTarget {
  matched: MatchedPosition;
  targetShares: number;
  /** Kelly fraction of the held side; 0 if it should not be bought. */
  kellyFraction: number;
}

/** The bankroll includes the holdings: purchases use the remaining cash and the proceeds of sales. */
export function computePositionTargets(
  matched: readonly MatchedPosition[],
  signals: readonly EventSignals[],
  bankrollUsd: number,
): PositionTarget[] {
  const byToken = new Map(
    signals.flatMap((event) => event.signals.map((signal) => [signal.tokenId, { event, signal }] as const)),
  );
  const wanted = matched.map((member) => {
    const found = byToken.get(member.bucket.yesTokenId);
    return found && found.event.blindness === null
      ? aim(member, found.signal)
      : { matched: member, targetShares: member.position.shares, kellyFraction: 0 };
  });
  const kept = fitIntoBankroll(wanted, bankrollUsd);
  const share = findAffordableShare(kept, bankrollUsd);
  return kept.map((target) => {
    const held = target.matched.position.shares;
    const added = target.targetShares - held;
    return added > 0 ? { ...target, targetShares: held + Math.floor(added * share) } : target;
  });
}

function aim(matched: MatchedPosition, signal: BucketSignal): PositionTarget {
  const { bucket, side, position } = matched;
  const { verdict, basis } = signal;
  if (verdict.kind === (side === 'Yes' ? 'buy-yes' : 'buy-no')) {
    const targetShares = Math.max(position.shares, verdict.shares);
    return { matched, targetShares, kellyFraction: verdict.kellyFraction };
  }
  const isExit = findExit(bucket, basis, side) !== null;
  return { matched, targetShares: isExit ? 0 : position.shares, kellyFraction: 0 };
}

export const ABOVE_BANKROLL =
  'the positions to keep are worth more than the bankroll, so all are reduced to it';

/** Scales holdings down to the bankroll, which is the owner's limit. */
function fitIntoBankroll(targets: readonly PositionTarget[], bankrollUsd: number): PositionTarget[] {
  const heldUsd = targets.reduce(
    (sum, { matched, targetShares }) =>
      sum + Math.min(targetShares, matched.position.shares) * matched.currentPrice,
    0,
  );
  if (heldUsd <= bankrollUsd) return [...targets];
  const share = bankrollUsd / heldUsd;
  return targets.map((target) => ({
    ...target,
    targetShares: Math.min(target.targetShares, target.matched.position.shares) * share,
  }));
}

function findAffordableShare(targets: readonly PositionTarget[], bankrollUsd: number): number {
  let cashUsd = bankrollUsd;
  let costUsd = 0;
  for (const { matched, targetShares } of targets) {
    const { position, currentPrice } = matched;
    const change = targetShares - position.shares;
    cashUsd -= position.shares * currentPrice;
    if (change > 0) costUsd += change * findCost(matched);
    else cashUsd -= change * findProceeds(matched);
  }
  return costUsd > 0 ? Math.min(1, Math.max(0, cashUsd) / costUsd) : 1;
}

function findCost({ bucket, side }: MatchedPosition): number {
  const buy = side === 'Yes' ? findYesBuy(bucket) : findNoBuy(bucket);
  return buy.isExecutable ? buy.price.netPrice : 1;
}

function findProceeds({ bucket, side }: MatchedPosition): number {
  const sell = side === 'Yes' ? findYesSell(bucket) : findNoSell(bucket);
  return sell.isExecutable ? sell.price.netPrice : 0;
}
