// One bucket's signal: the verdict in contract terms, and the model's own view.

import { findYesBuy } from '../cost.ts';
import { roundExact, subtractExact } from '../decimal.ts';
import { computeExpectedValue } from '../sizing/kelly.ts';
import type { BucketSignal, SignalAction, Verdict } from '../types.ts';
import { classifyConfidence, classifyTimeConfidence } from './confidence.ts';
import type { BucketDecision } from './decide-account.ts';
import { computeMoneyness } from './moneyness.ts';
import { sizeVerdict, type VerdictContext } from './verdict.ts';

export interface SignalContext extends VerdictContext {
  standardWidth: number;
}

export function buildBucketSignal(decided: BucketDecision, context: SignalContext): BucketSignal {
  const { bucket, edge: basis } = decided;
  const { event, bankrollUsd } = context;
  const buy = findYesBuy(bucket);
  const cost = buy.isExecutable ? buy.price.netPrice : null;
  const p = bucket.modelProbability;
  const verdict = sizeVerdict(decided, context);
  // The API's fields describe the Yes share; buying No appears only in the verdict.
  const yes = verdict.kind === 'buy-no' ? sizeVerdict(decided.yes, context) : verdict;
  const isBuy = yes.kind === 'buy-yes';
  return {
    bucketLabel: bucket.label,
    tokenId: bucket.yesTokenId,
    noTokenId: bucket.noTokenId,
    action: nameAction(yes),
    modelProbability: p,
    marketPrice: bucket.marketPrice ?? 0,
    edge: bucket.marketPrice === null ? 0 : subtractExact(p, bucket.marketPrice),
    ev: cost === null ? 0 : roundExact(computeExpectedValue(p, cost)),
    kellyFraction: yes.kellyFraction,
    suggestedBetUsd: isBuy ? yes.stakeUsd : 0,
    confidence: classifyConfidence(basis.blended, event.modelSd, cost),
    moneyness: computeMoneyness(event.p50, bucket, context.standardWidth),
    timeConfidence: classifyTimeConfidence(event.secondsRemaining),
    asymmetryEdge:
      event.oracleCount === null || event.uiCount === null ? null : event.oracleCount - event.uiCount,
    reasons: yes.reasons,
    bankrollUsd,
    costPerShare: cost,
    feePerShare: buy.isExecutable ? buy.price.feePerShare : null,
    suggestedShares: isBuy ? yes.shares : 0,
    basis,
    blendedProbability: roundExact(basis.blended),
    blendedEv: cost === null ? 0 : roundExact(computeExpectedValue(basis.blended, cost)),
    verdict,
  };
}

function nameAction({ kind, isSkipped }: Verdict): SignalAction {
  if (kind === 'buy-yes') return 'BUY';
  if (kind === 'exit') return 'SELL';
  return isSkipped ? 'SKIP' : 'HOLD';
}
