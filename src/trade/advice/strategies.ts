// Named strategies over an event's buckets, with configurable gates. They are alternatives to the bucket
// signals, not additions: a bankroll follows one or the other.

import { type ExecutablePrice, findYesBuy } from '../cost.ts';
import { floorCents, roundExact } from '../decimal.ts';
import { computeExpectedValue, computeKellyFraction } from '../sizing/kelly.ts';
import { findBucket } from '../sizing/outcome-cells.ts';
import { computeDepthCapUsd, computeLotShares } from '../sizing/sizing-rules.ts';
import type {
  BucketSignal,
  PricedBucket,
  PricedEvent,
  SizingRules,
  StrategyEntry,
  StrategyGate,
  StrategyName,
} from '../types.ts';

/** What a gate checks: the probability that one of the buckets wins, and the cost of one share of each. */
export interface Basket {
  strategy: StrategyName;
  buckets: readonly PricedBucket[];
  winProbability: number;
  costPerSet: number;
  /** Cost of the sets that fit within the allowed share of the displayed depth. */
  depthCapUsd: number;
}

/** Entries that pass their gate and buy nothing a verdict sells; `event` has blended probabilities. */
export function findBuyStrategies(
  event: PricedEvent,
  signals: readonly BucketSignal[],
  bankrollUsd: number,
  lambda: number,
  rules: SizingRules,
): StrategyEntry[] {
  const candidates = [
    { basket: findTwoBucket(event, rules), gate: rules.twoBucket },
    { basket: findSingleBucket(event, rules), gate: rules.singleBucket },
  ];
  return candidates.flatMap(({ basket, gate }) => {
    const isOpen = basket && isUnopposed(basket, signals) && isProven(basket, signals);
    const entry = isOpen && enter(basket, gate, bankrollUsd, lambda);
    return entry ? [entry] : [];
  });
}

function isUnopposed(basket: Basket, signals: readonly BucketSignal[]): boolean {
  const opposed = signals.filter(({ verdict }) => verdict.kind === 'exit' || verdict.kind === 'buy-no');
  const labels = new Set(opposed.map(({ bucketLabel }) => bucketLabel));
  return basket.buckets.every(({ label }) => !labels.has(label));
}

/** Whether the sum of the buckets' lower bounds exceeds the cost of the set. */
function isProven({ buckets, costPerSet }: Basket, signals: readonly BucketSignal[]): boolean {
  const labels = new Set(buckets.map(({ label }) => label));
  const bases = signals.filter(({ bucketLabel }) => labels.has(bucketLabel)).map(({ basis }) => basis);
  const lower = bases.reduce((sum, basis) => sum + basis.lower, 0);
  return bases.every(({ halt }) => halt === null) && lower > costPerSet;
}

/** RISK_MANAGEMENT: one entry per bucket with a SELL signal; the entry wins when the bucket loses. */
export function findSellStrategies(signals: readonly BucketSignal[]): StrategyEntry[] {
  return signals
    .filter((signal) => signal.action === 'SELL')
    .map((signal) => ({
      strategy: 'RISK_MANAGEMENT',
      buckets: [signal.bucketLabel],
      stakeFraction: 0,
      suggestedBetUsd: 0,
      winProbability: roundExact(1 - signal.modelProbability),
    }));
}

/** The bucket with the median and the one below it, in equal shares. */
export function findTwoBucket(event: PricedEvent, rules: SizingRules): Basket | null {
  const at = findBucket(event.buckets, event.p50);
  const median = event.buckets[at];
  const lower = event.buckets[at - 1];
  if (!median || !lower) return null;
  // A passed lower bucket cannot win, so the pair would be one bucket at the price of two.
  if (lower.modelProbability <= 0) return null;
  return createBasket('TWO_BUCKET', [median, lower], rules);
}

/** The most probable bucket. */
export function findSingleBucket(event: PricedEvent, rules: SizingRules): Basket | null {
  if (event.buckets.length === 0) return null;
  const best = event.buckets.reduce((a, b) => (b.modelProbability > a.modelProbability ? b : a));
  return createBasket('SINGLE_BUCKET', [best], rules);
}

function createBasket(
  strategy: StrategyName,
  buckets: readonly PricedBucket[],
  rules: SizingRules,
): Basket | null {
  const buys: ExecutablePrice[] = [];
  for (const bucket of buckets) {
    const buy = findYesBuy(bucket);
    if (!buy.isExecutable) return null;
    buys.push(buy.price);
  }
  const costPerSet = roundExact(buys.reduce((sum, buy) => sum + buy.netPrice, 0));
  const depthCapUsd = Math.min(
    ...buys.map((buy) => computeDepthCapUsd(buy.depthShares, costPerSet, rules.depthShare)),
  );
  const winProbability = roundExact(buckets.reduce((sum, bucket) => sum + bucket.modelProbability, 0));
  return { strategy, buckets, winProbability, costPerSet, depthCapUsd };
}

export function passesGate(basket: Basket, gate: StrategyGate): boolean {
  const ev = roundExact(computeExpectedValue(basket.winProbability, basket.costPerSet));
  return basket.costPerSet < 1 && basket.winProbability >= gate.minWinProbability && ev >= gate.minEv;
}

function enter(
  basket: Basket,
  gate: StrategyGate,
  bankrollUsd: number,
  lambda: number,
): StrategyEntry | null {
  if (!passesGate(basket, gate)) return null;
  const kelly = lambda * computeKellyFraction(Math.min(basket.winProbability, 0.999), basket.costPerSet);
  const stakeFraction = roundExact(Math.min(gate.maxStakeFraction, kelly));
  const betUsd = floorCents(Math.min(stakeFraction * bankrollUsd, basket.depthCapUsd));
  const minShares = Math.max(...basket.buckets.map((bucket) => bucket.minOrderShares));
  if (computeLotShares(betUsd, basket.costPerSet, minShares) === 0) return null;
  return {
    strategy: basket.strategy,
    buckets: basket.buckets.map((bucket) => bucket.label),
    stakeFraction,
    suggestedBetUsd: betUsd,
    winProbability: basket.winProbability,
  };
}
