// One bucket's signal: action, size and reasons.

import { type Executability, type ExecutablePrice, findYesBuy, findYesSell } from '../pricing/cost.ts';
import { floorCents, roundExact, subtractExact } from '../pricing/decimal.ts';
import { computeExpectedValue } from '../sizing/kelly.ts';
import { computeDepthCapUsd, computeLotShares, MIN_ORDER_USD } from '../sizing/lots.ts';
import { computeShrinkage, scaleProbabilitySd } from '../sizing/shrinkage.ts';
import { SELL_MARGIN } from '../sizing/sizing-rules.ts';
import type { BucketSignal, PricedBucket, PricedEvent, SignalAction, SizingRules } from '../types.ts';
import { classifyConfidence, classifyTimeConfidence } from './confidence.ts';
import { computeMoneyness } from './moneyness.ts';
import {
  describeBand,
  describeBelief,
  describeBuy,
  describeSell,
  describeSizing,
  percent,
  usd,
} from './reasons.ts';

export interface BucketSizing {
  /** Model and market pooled. */
  belief: number;
  fullFraction: number;
  lambda: number;
  note: string | null;
}

export interface SignalContext {
  event: PricedEvent;
  standardWidth: number;
  bankrollUsd: number;
  rules: SizingRules;
}

interface Verdict {
  action: SignalAction;
  kellyFraction: number;
  betUsd: number;
  shares: number;
  reasons: string[];
}

export function buildBucketSignal(
  bucket: PricedBucket,
  sizing: BucketSizing,
  context: SignalContext,
): BucketSignal {
  const { event, bankrollUsd } = context;
  const buy = findYesBuy(bucket);
  const cost = buy.isExecutable ? buy.price.netPrice : null;
  const p = bucket.modelProbability;
  const verdict = decide(bucket, buy, sizing, context);
  return {
    bucketLabel: bucket.label,
    tokenId: bucket.yesTokenId,
    action: verdict.action,
    modelProbability: p,
    marketPrice: bucket.marketPrice ?? 0,
    edge: bucket.marketPrice === null ? 0 : subtractExact(p, bucket.marketPrice),
    ev: cost === null ? 0 : roundExact(computeExpectedValue(p, cost)),
    kellyFraction: verdict.kellyFraction,
    suggestedBetUsd: verdict.betUsd,
    confidence: classifyConfidence(sizing.belief, event.modelSd, cost),
    moneyness: computeMoneyness(event.p50, bucket, context.standardWidth),
    timeConfidence: classifyTimeConfidence(event.secondsRemaining),
    asymmetryEdge:
      event.oracleCount === null || event.uiCount === null ? null : event.oracleCount - event.uiCount,
    reasons: verdict.reasons,
    bankrollUsd,
    costPerShare: cost,
    feePerShare: buy.isExecutable ? buy.price.feePerShare : null,
    suggestedShares: verdict.shares,
    believedProbability: roundExact(sizing.belief),
  };
}

function decide(
  bucket: PricedBucket,
  buy: Executability,
  sizing: BucketSizing,
  context: SignalContext,
): Verdict {
  if (bucket.marketPrice === null) return idle('SKIP', 'the market shows no price for this bucket');
  const sell = findYesSell(bucket);
  if (sell.isExecutable && bucket.modelProbability < sell.price.netPrice - SELL_MARGIN) {
    return decideSell(bucket.modelProbability, sizing.belief, sell.price, context.rules);
  }
  if (!buy.isExecutable) return idle('SKIP', buy.problem);
  // Worth it by the model alone and still worth it once the market has been heard.
  const least = Math.min(bucket.modelProbability, sizing.belief);
  if (least > buy.price.netPrice) return decideBuy(bucket, buy.price, sizing, context);
  const netBid = sell.isExecutable ? sell.price.netPrice : null;
  return idle(
    'HOLD',
    describeBelief(bucket.modelProbability, sizing.belief),
    describeBand(sizing.belief, netBid, buy.price.netPrice),
  );
}

function decideSell(probability: number, belief: number, sell: ExecutablePrice, rules: SizingRules): Verdict {
  const why = describeSell(probability, sell);
  const pooled = describeBelief(probability, belief);
  if (rules.allowsSell)
    return idle('SELL', why, pooled, 'negative edge beyond the no-trade band: exit if held');
  return idle('SKIP', why, pooled, 'overpriced; signals of this account carry no sales');
}

function decideBuy(
  bucket: PricedBucket,
  buy: ExecutablePrice,
  sizing: BucketSizing,
  { event, bankrollUsd, rules }: SignalContext,
): Verdict {
  const p = sizing.belief;
  const sd = scaleProbabilitySd(event.modelSd, p);
  const shrinkage = computeShrinkage(p, buy.netPrice, sd);
  const kellyFraction = roundExact(sizing.lambda * shrinkage * sizing.fullFraction);
  const reasons = [
    describeBuy(bucket.modelProbability, buy),
    describeBelief(bucket.modelProbability, p),
    describeSizing(sizing.lambda, shrinkage, sizing.fullFraction),
    ...(sizing.note ? [sizing.note] : []),
  ];
  const caps = [
    { usd: kellyFraction * bankrollUsd, reason: null },
    {
      usd: rules.singleBucket.maxStakeFraction * bankrollUsd,
      reason: `stake capped at ${percent(rules.singleBucket.maxStakeFraction)} of the bankroll`,
    },
    {
      usd: computeDepthCapUsd(buy.depthShares, buy.netPrice, rules.depthShare),
      reason: `stake capped by ${percent(rules.depthShare)} of shown depth (${buy.depthShares} shares)`,
    },
  ];
  const least = caps.reduce((best, cap) => (cap.usd < best.usd ? cap : best));
  if (least.reason) reasons.push(least.reason);
  const betUsd = floorCents(least.usd);
  const shares = computeLotShares(betUsd, buy.netPrice, bucket.minOrderShares);
  if (shares === 0) {
    const minimum = `below the minimum order of ${bucket.minOrderShares} shares and ${usd(MIN_ORDER_USD)}`;
    return {
      action: 'SKIP',
      kellyFraction,
      betUsd: 0,
      shares: 0,
      reasons: [...reasons, `stake of ${usd(betUsd)} is ${minimum}`],
    };
  }
  return { action: 'BUY', kellyFraction, betUsd, shares, reasons };
}

function idle(action: SignalAction, ...reasons: string[]): Verdict {
  return { action, kellyFraction: 0, betUsd: 0, shares: 0, reasons };
}
