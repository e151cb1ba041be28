// An account's signals: every bucket of every open event, best edge first, and the strategies that pass their
// gates.

import type { BucketRange } from '../../domain/market-event.ts';
import { findYesBuy } from '../cost.ts';
import { roundExact, subtractExact } from '../decimal.ts';
import { computeExpectedValue, scaleProbabilitySd } from '../sizing/kelly.ts';
import type {
  BucketSignal,
  ConfidenceClass,
  EventSignals,
  PricedEvent,
  SignalAction,
  SizingRules,
  Verdict,
} from '../types.ts';
import { findDisagreement } from './bounds.ts';
import type { AccountDecisions, BucketDecision, EventDecisions } from './decide-account.ts';
import { findBuyStrategies, findSellStrategies } from './strategies.ts';
import { sizeVerdict, type VerdictContext } from './verdict.ts';

/** Sizes the decisions for one bankroll. */
export function sizeSignals(
  { events, lambda }: AccountDecisions,
  bankrollUsd: number,
  rules: SizingRules,
): EventSignals[] {
  return events.map((decisions) => sizeEvent(decisions, lambda, bankrollUsd, rules));
}

function sizeEvent(
  { event, buckets }: EventDecisions,
  lambda: number,
  bankrollUsd: number,
  rules: SizingRules,
): EventSignals {
  const standardWidth = findStandardWidth(event.buckets);
  const context = { event, bankrollUsd, rules, standardWidth };
  const signals = buckets
    .map((decided) => buildBucketSignal(decided, context))
    .sort((a, b) => b.edge - a.edge);
  const isBlind = Boolean(event.blindness);
  const blended: PricedEvent = {
    ...event,
    buckets: buckets.map(({ bucket, edge }) => ({
      ...bucket,
      modelProbability: Math.min(edge.blended, edge.worth),
    })),
  };
  return {
    eventId: event.eventId,
    title: event.title,
    endTs: event.endTs,
    secondsRemaining: event.secondsRemaining,
    blindness: event.blindness ?? null,
    signals,
    buy: isBlind ? [] : findBuyStrategies(blended, signals, bankrollUsd, lambda, rules),
    sell: findSellStrategies(signals),
  };
}

export type PredictionSignal = 'STRONG_BUY' | 'BUY' | 'SLIGHT_BUY' | 'HOLD' | 'SELL';

export function gradeSignal({ action, verdict }: Pick<BucketSignal, 'action' | 'verdict'>): PredictionSignal {
  if (action === 'SELL') return 'SELL';
  if (action !== 'BUY') return 'HOLD';
  if (verdict.gainPerUsd > 0.3) return 'STRONG_BUY';
  return verdict.gainPerUsd > 0.1 ? 'BUY' : 'SLIGHT_BUY';
}

// One bucket's signal: the verdict in contract terms, and the model's own view.

interface SignalContext extends VerdictContext {
  standardWidth: number;
}

function buildBucketSignal(decided: BucketDecision, context: SignalContext): BucketSignal {
  const { bucket, edge: basis } = decided;
  const { event, bankrollUsd } = context;
  const buy = findYesBuy(bucket);
  const cost = buy.isExecutable ? buy.price.netPrice : null;
  const p = bucket.modelProbability;
  const { verdict, yes } = sizeBoth(decided, context);
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
    confidence: classifyConfidence(basis.worth, event.modelSd, cost),
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
    disagreement: findDisagreement(bucket, basis),
    verdict,
  };
}

/** The API's fields describe the Yes share (`yes`); buying No appears only in the verdict. */
function sizeBoth(decided: BucketDecision, context: VerdictContext): { verdict: Verdict; yes: Verdict } {
  const verdict = sizeVerdict(decided, context);
  const isAboutNo = decided.yes.decision !== decided.decision;
  if (!isAboutNo || verdict.kind === 'buy-yes') return { verdict, yes: verdict };
  const yes = sizeVerdict(decided.yes, context);
  // Too small a stake on No does not make a Yes share worth keeping.
  return { verdict: verdict.kind === 'nothing' && yes.kind === 'exit' ? yes : verdict, yes };
}

function nameAction({ kind, isSkipped }: Verdict): SignalAction {
  if (kind === 'buy-yes') return 'BUY';
  if (kind === 'exit') return 'SELL';
  return isSkipped ? 'SKIP' : 'HOLD';
}

/** `standardWidth` serves as the width of the open top bucket. */
export function computeMoneyness(p50: number, range: BucketRange, standardWidth: number): number {
  if (range.hi === null) {
    return roundExact(clipUnit((p50 - range.lo + 0.5) / standardWidth) * (p50 < range.lo ? 0 : 1));
  }
  if (p50 < range.lo || p50 > range.hi) return 0;
  const centre = (range.lo + range.hi) / 2;
  const halfWidth = (range.hi - range.lo + 1) / 2;
  return roundExact(clipUnit(1 - Math.abs(p50 - centre) / halfWidth));
}

/** Median width of the closed buckets; 1 if there are none. */
export function findStandardWidth(ranges: readonly BucketRange[]): number {
  const widths = ranges.flatMap((range) => (range.hi === null ? [] : [range.hi - range.lo + 1]));
  widths.sort((a, b) => a - b);
  return widths[Math.floor(widths.length / 2)] ?? 1;
}

function clipUnit(value: number): number {
  return Math.min(1, Math.max(0, value));
}

const HOURS_24_S = 86_400;
const HOURS_48_S = 172_800;

/** HIGH and MEDIUM require p to exceed the cost by 1.64 and 1 standard deviations, respectively. */
export function classifyConfidence(
  probability: number,
  modelSd: number,
  costPerShare: number | null,
): ConfidenceClass {
  if (costPerShare === null) return 'LOW';
  const sd = scaleProbabilitySd(modelSd, probability);
  if (probability >= 0.75 && roundExact(probability - 1.64 * sd) > costPerShare) return 'HIGH';
  if (probability >= 0.4 && roundExact(probability - sd) > costPerShare) return 'MEDIUM';
  return 'LOW';
}

/** HIGH under 24 h, MEDIUM up to 48 h, LOW beyond. */
export function classifyTimeConfidence(secondsRemaining: number): ConfidenceClass {
  if (secondsRemaining < HOURS_24_S) return 'HIGH';
  return secondsRemaining <= HOURS_48_S ? 'MEDIUM' : 'LOW';
}
