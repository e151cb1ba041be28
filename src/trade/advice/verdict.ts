// The single verdict on a bucket for one bankroll: current advice, sized. Prediction, signals, ladder,
// portfolio, stream, alerts, agents, dashboard and paper ledger all show it.

import type { StandingAdvice } from '../../domain/standing-advice.ts';
import type { ExecutablePrice } from '../cost.ts';
import { floorCents, roundExact, roundMicros } from '../decimal.ts';
import {
  computeDepthCapUsd,
  computeLotShares,
  MAX_SET_STAKE,
  MIN_ORDER_USD,
} from '../sizing/sizing-rules.ts';
import type { BucketEdge, PricedBucket, PricedEvent, SizingRules, ValidWhile, Verdict } from '../types.ts';
import { boundOf, findHighestPrice } from './bounds.ts';
import type { Decision } from './decision.ts';
import { centsSign, percent, usd } from './reasons.ts';

export interface VerdictContext {
  event: PricedEvent;
  bankrollUsd: number;
  rules: SizingRules;
}

/** A decision with its inputs. */
export interface Decided {
  bucket: PricedBucket;
  edge: BucketEdge;
  decision: Decision;
  standing: Pick<StandingAdvice, 'sinceTs' | 'changedBecause'>;
}

export function sizeVerdict(decided: Decided, context: VerdictContext): Verdict {
  const { decision } = decided;
  if (decision.kind === 'nothing' || !decision.price) return doNothing(decided, context, decision);
  if (decision.kind === 'exit') return exit(decided, decision.price, context);
  const stake = decision.set ? sizeSet(decision, context) : sizeAlone(decided, decision.price, context);
  if (stake.shares === 0 && decision.otherwise) {
    return sizeVerdict({ ...decided, decision: decision.otherwise }, context);
  }
  if (stake.shares > 0) return buy(decided, decision.price, stake, context);
  const reasons = [...decision.reasons, ...stake.reasons];
  return doNothing(decided, context, {
    ...decision,
    isSkipped: true,
    abstainReason: stake.problem,
    reasons: [...reasons, stake.problem],
  });
}

interface Stake {
  shares: number;
  stakeUsd: number;
  reasons: readonly string[];
  /** Why no shares are bought. */
  problem: string;
}

function sizeAlone({ bucket, decision }: Decided, price: ExecutablePrice, context: VerdictContext): Stake {
  const cap = findCap(decision.kellyFraction, price, context);
  const stakeUsd = floorCents(cap.usd);
  const minimum = `below the minimum order of ${bucket.minOrderShares} shares and ${usd(MIN_ORDER_USD)}`;
  return {
    shares: computeLotShares(stakeUsd, price.netPrice, bucket.minOrderShares),
    stakeUsd,
    reasons: cap.reason ? [cap.reason] : [],
    problem: `a stake of ${usd(stakeUsd)} is ${minimum}`,
  };
}

/** As many whole sets as the thinnest book and the bankroll allow; each leg must be a valid order. */
function sizeSet({ set, price }: Decision, { bankrollUsd, event }: VerdictContext): Stake {
  const { costPerSet, depthSets, legs } = set!;
  const affordable = Math.floor((MAX_SET_STAKE * bankrollUsd) / costPerSet);
  const sets = Math.min(affordable, depthSets ?? affordable);
  const minShares = Math.max(...event.buckets.map((bucket) => bucket.minOrderShares));
  const cheapest = Math.min(...legs.map((leg) => leg.price.netPrice));
  const isPlaceable = sets >= minShares && sets * cheapest >= MIN_ORDER_USD;
  return {
    shares: isPlaceable ? sets : 0,
    stakeUsd: isPlaceable ? floorCents(sets * price!.netPrice) : 0,
    reasons: [],
    problem: `${sets} sets are too few: one of the orders would be below the minimum`,
  };
}

function buy(decided: Decided, price: ExecutablePrice, stake: Stake, context: VerdictContext): Verdict {
  const { bucket, edge, decision } = decided;
  const side = decision.kind === 'buy-no' ? 'No' : 'Yes';
  const winProbability = side === 'Yes' ? edge.worth : 1 - edge.worth;
  const { shares } = stake;
  const gain = decision.set
    ? (decision.set.payoutPerSet - decision.set.costPerSet) / decision.set.legs.length
    : winProbability - price.netPrice;
  return {
    ...describeState(decided, context),
    kind: decision.kind,
    edgeKind: decision.edgeKind,
    limitPrice: price.bookPrice,
    costPerShare: price.netPrice,
    depthShares: price.depthShares,
    kellyFraction: decision.kellyFraction,
    shares,
    stakeUsd: stake.stakeUsd,
    fillableUsd: findFillable(price),
    winProbability: roundExact(winProbability),
    winProbabilityLow: roundExact(boundOf(edge, bucket, side)),
    gainPerUsd: roundExact(gain / price.netPrice),
    expectedGainUsd: roundMicros(shares * gain),
    isSkipped: false,
    abstainReason: null,
    actAt: null,
    sentence: describePurchase(decided, side, shares, price, winProbability),
    reasons: [...decision.reasons, ...stake.reasons],
  };
}

function describePurchase(
  { bucket, decision, edge }: Decided,
  side: 'Yes' | 'No',
  shares: number,
  price: ExecutablePrice,
  winProbability: number,
): string {
  const order = `Buy ${shares} ${side} of ${bucket.label} at ${centsSign(price.bookPrice)} or less`;
  if (decision.set) return `${order}, with the rest of the set: ${decision.set.reason}`;
  if (edge.fact ?? edge.rule) return `${order}: ${edge.fact ?? edge.rule}`;
  return `${order}: blended probability ${percent(winProbability)}`;
}

function exit(decided: Decided, sale: ExecutablePrice, context: VerdictContext): Verdict {
  const { bucket, edge, decision } = decided;
  const why = edge.fact ?? `blended probability ${percent(edge.worth)}`;
  return {
    ...emptyVerdict(decided, context),
    kind: 'exit',
    edgeKind: decision.edgeKind,
    limitPrice: sale.bookPrice,
    depthShares: sale.depthShares,
    fillableUsd: findFillable(sale),
    sentence: `Sell ${bucket.label} if you hold it, at ${centsSign(sale.bookPrice)} or more: ${why}`,
    reasons: decision.reasons,
  };
}

function doNothing(decided: Decided, context: VerdictContext, decision: Decision): Verdict {
  const { kellyFraction, isSkipped, abstainReason, actAt, reasons } = decision;
  return {
    ...emptyVerdict(decided, context),
    kellyFraction,
    isSkipped,
    abstainReason,
    actAt,
    sentence: context.event.blindness ? capitalise(context.event.blindness) : `No trade: ${abstainReason}`,
    reasons,
  };
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type State = Pick<Verdict, 'sinceTs' | 'changedBecause' | 'validWhile'>;

function describeState(decided: Decided, { event }: VerdictContext): State {
  const { sinceTs, changedBecause } = decided.standing;
  return { sinceTs, changedBecause, validWhile: findValidity(decided, event) };
}

/** Counts only grow, so advice ends when the count reaches or passes the bucket. */
function findValidity({ bucket, edge, decision }: Decided, { realCount }: PricedEvent): ValidWhile {
  const { kind, price } = decision;
  if (kind === 'nothing' || !price) return { priceLimit: null, countFrom: null, countTo: null };
  if (kind === 'exit') return { priceLimit: price.bookPrice, countFrom: realCount, countTo: null };
  const side = kind === 'buy-no' ? 'No' : 'Yes';
  const highest = decision.set ? null : findHighestPrice(boundOf(edge, bucket, side), bucket);
  const priceLimit = Math.max(price.bookPrice, highest ?? 0);
  if (side === 'Yes') return { priceLimit, countFrom: realCount, countTo: bucket.hi };
  const isAhead = realCount !== null && realCount < bucket.lo;
  return { priceLimit, countFrom: realCount, countTo: isAhead && edge.fact !== null ? bucket.lo - 1 : null };
}

function emptyVerdict(decided: Decided, context: VerdictContext): Omit<Verdict, 'sentence' | 'reasons'> {
  const { bucket, edge } = decided;
  return {
    ...describeState(decided, context),
    kind: 'nothing',
    edgeKind: null,
    limitPrice: null,
    costPerShare: null,
    depthShares: null,
    kellyFraction: 0,
    shares: 0,
    stakeUsd: 0,
    fillableUsd: null,
    winProbability: roundExact(edge.worth),
    winProbabilityLow: roundExact(boundOf(edge, bucket, 'Yes')),
    gainPerUsd: 0,
    expectedGainUsd: 0,
    isSkipped: false,
    abstainReason: null,
    actAt: null,
  };
}

function findFillable({ depthShares, netPrice }: ExecutablePrice): number | null {
  return depthShares === null ? null : floorCents(depthShares * netPrice);
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
      reason: `stake capped at ${percent(rules.depthShare)} of the visible depth (${price.depthShares} shares)`,
    },
  ];
  return caps.reduce((least, cap) => (cap.usd < least.usd ? cap : least));
}
