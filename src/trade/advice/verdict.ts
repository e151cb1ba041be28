// The one verdict on a bucket for one bankroll: buy Yes, buy No, exit if held, or nothing; with limit, shares, stake,
// expected gain after cost and one sentence. Prediction, signals, ladder, portfolio, stream, notices, agents, page and
// paper ledger all say this and nothing else.

import type { ExecutablePrice } from '../cost.ts';
import { floorCents, roundExact, roundMicros } from '../decimal.ts';
import { computeDepthCapUsd, computeLotShares, MIN_ORDER_USD } from '../sizing/lots.ts';
import { computeShrinkage, scaleProbabilitySd } from '../sizing/shrinkage.ts';
import type { PricedBucket, PricedEvent, SizingRules, Verdict } from '../types.ts';
import { findNoBargain, type Judgement, judgeYes } from './judgement.ts';
import {
  centsSign,
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
  /** Full Kelly fraction of a Yes or No purchase, whichever the judgement asks for. */
  yesFraction: number;
  noFraction: number;
  lambda: number;
  note: string | null;
}

export interface VerdictContext {
  event: PricedEvent;
  bankrollUsd: number;
  rules: SizingRules;
}

const NOTHING: Omit<Verdict, 'sentence' | 'reasons' | 'isSkipped'> = {
  kind: 'nothing',
  limitPrice: null,
  costPerShare: null,
  depthShares: null,
  kellyFraction: 0,
  shares: 0,
  stakeUsd: 0,
  gainPerUsd: 0,
  expectedGainUsd: 0,
};

/** Yes first: where it is bought, No is not. Else No where that is worth it, else what the Yes share asks for. */
export function decideVerdict(bucket: PricedBucket, sizing: BucketSizing, context: VerdictContext): Verdict {
  const yes = decideYes(bucket, sizing, context);
  if (yes.kind === 'buy-yes' || context.event.blindness) return yes;
  const bargain = findNoBargain(bucket, sizing.belief);
  const no = bargain && decidePurchase(bucket, 'buy-no', bargain, sizing, context);
  return no?.kind === 'buy-no' ? no : yes;
}

/** What to do about the Yes share alone. */
export function decideYes(bucket: PricedBucket, sizing: BucketSizing, context: VerdictContext): Verdict {
  if (context.event.blindness) return nothing(true, context.event.blindness);
  const judgement = judgeYes(bucket, sizing.belief);
  if (judgement.kind === 'nothing') return explainNothing(bucket, sizing.belief, judgement);
  if (judgement.kind === 'exit') return decideExit(bucket, sizing.belief, judgement.price, context.rules);
  return decidePurchase(bucket, 'buy-yes', judgement.price, sizing, context);
}

function explainNothing(
  bucket: PricedBucket,
  belief: number,
  judgement: Extract<Judgement, { kind: 'nothing' }>,
): Verdict {
  if (!judgement.isTradable) return nothing(true, judgement.problem);
  const { netBid, cost } = judgement;
  return nothing(false, describeBelief(bucket.modelProbability, belief), describeBand(belief, netBid, cost));
}

function decideExit(
  bucket: PricedBucket,
  belief: number,
  sale: ExecutablePrice,
  rules: SizingRules,
): Verdict {
  const sentence = describeExit(bucket, belief, sale);
  const pooled = describeBelief(bucket.modelProbability, belief);
  const why = describeSell(bucket.modelProbability, sale);
  if (!rules.allowsSell)
    return nothing(true, why, pooled, 'overpriced; signals of this account carry no sales');
  return {
    ...NOTHING,
    kind: 'exit',
    limitPrice: sale.bookPrice,
    depthShares: sale.depthShares,
    isSkipped: false,
    sentence,
    reasons: [why, pooled, 'negative edge beyond the no-trade band: exit if held'],
  };
}

function describeExit(bucket: PricedBucket, belief: number, sale: ExecutablePrice): string {
  return `Sell ${bucket.label} if held: bid ${centsSign(sale.bookPrice)}, worth ${centsSign(belief)}`;
}

function decidePurchase(
  bucket: PricedBucket,
  kind: 'buy-yes' | 'buy-no',
  price: ExecutablePrice,
  sizing: BucketSizing,
  context: VerdictContext,
): Verdict {
  const { side, winProbability, modelProbability, fullFraction } = lookFrom(kind, bucket, sizing);
  const sd = scaleProbabilitySd(context.event.modelSd, winProbability);
  const shrinkage = computeShrinkage(winProbability, price.netPrice, sd);
  const kellyFraction = roundExact(sizing.lambda * shrinkage * fullFraction);
  const cap = findCap(kellyFraction, price, context);
  const betUsd = floorCents(cap.usd);
  const shares = computeLotShares(betUsd, price.netPrice, bucket.minOrderShares);
  const reasons = [
    describeBuy(modelProbability, price, side),
    describeBelief(modelProbability, winProbability),
    describeSizing(sizing.lambda, shrinkage, fullFraction),
    ...(sizing.note ? [sizing.note] : []),
    ...(cap.reason ? [cap.reason] : []),
  ];
  if (shares === 0) {
    const minimum = `below the minimum order of ${bucket.minOrderShares} shares and ${usd(MIN_ORDER_USD)}`;
    return { ...nothing(true, ...reasons, `stake of ${usd(betUsd)} is ${minimum}`), kellyFraction };
  }
  return {
    kind,
    limitPrice: price.bookPrice,
    costPerShare: price.netPrice,
    depthShares: price.depthShares,
    kellyFraction,
    shares,
    stakeUsd: betUsd,
    gainPerUsd: roundExact(winProbability / price.netPrice - 1),
    expectedGainUsd: roundMicros(shares * (winProbability - price.netPrice)),
    isSkipped: false,
    sentence: `Buy ${shares} ${side} of ${bucket.label} at ${centsSign(price.bookPrice)} or less: worth ${centsSign(winProbability)}`,
    reasons,
  };
}

/** The same numbers from the side that is bought: a No wins where its bucket does not. */
function lookFrom(kind: 'buy-yes' | 'buy-no', bucket: PricedBucket, sizing: BucketSizing) {
  if (kind === 'buy-yes') {
    return {
      side: 'Yes',
      winProbability: sizing.belief,
      modelProbability: bucket.modelProbability,
      fullFraction: sizing.yesFraction,
    } as const;
  }
  return {
    side: 'No',
    winProbability: 1 - sizing.belief,
    modelProbability: 1 - bucket.modelProbability,
    fullFraction: sizing.noFraction,
  } as const;
}

interface Cap {
  usd: number;
  reason: string | null;
}

function findCap(kellyFraction: number, price: ExecutablePrice, { bankrollUsd, rules }: VerdictContext): Cap {
  const share = rules.singleBucket.maxStakeFraction;
  const caps: Cap[] = [
    { usd: kellyFraction * bankrollUsd, reason: null },
    { usd: share * bankrollUsd, reason: `stake capped at ${percent(share)} of the bankroll` },
    {
      usd: computeDepthCapUsd(price.depthShares, price.netPrice, rules.depthShare),
      reason: `stake capped by ${percent(rules.depthShare)} of shown depth (${price.depthShares} shares)`,
    },
  ];
  return caps.reduce((least, cap) => (cap.usd < least.usd ? cap : least));
}

function nothing(isSkipped: boolean, ...reasons: string[]): Verdict {
  return { ...NOTHING, isSkipped, sentence: `Nothing to do: ${reasons.at(-1)}`, reasons };
}
