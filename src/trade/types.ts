// Sizing types. A trader can reproduce and execute every number.

import type { VenueId } from '../domain/contract.ts';
import type { CountingRule } from '../domain/counting-rule.ts';
import type { CountWindow, MarketBucket, MarketEvent } from '../domain/market-event.ts';
import type { OutcomeSide, WalletPosition } from '../domain/position.ts';
import type { Quote } from '../domain/quote.ts';
import type { EdgeEvidence, EdgeKind, StandingAdvice, VerdictKind } from '../domain/standing-advice.ts';
import type { PublishedForecast } from '../forecast/types.ts';

export type { EdgeKind, VerdictKind };

export type ConfidenceClass = 'HIGH' | 'MEDIUM' | 'LOW';
export type SignalAction = 'BUY' | 'SELL' | 'HOLD' | 'SKIP';
export type StrategyName = 'TWO_BUCKET' | 'SINGLE_BUCKET' | 'RISK_MANAGEMENT';

/** One bucket with model and market data. */
export interface PricedBucket extends Omit<MarketBucket, 'marketId' | 'conditionId' | 'listedPrice'> {
  modelProbability: number;
  /** Midpoint, last trade or listed price; null if the market shows none. */
  marketPrice: number | null;
  yesQuote: Quote | null;
  noQuote: Quote | null;
}

export interface PricedEvent
  extends Pick<MarketEvent, 'eventId' | 'title'>,
    CountWindow,
    Pick<PublishedForecast, 'p50' | 'modelSd'> {
  secondsRemaining: number;
  realCount: number | null;
  oracleCount: number | null;
  uiCount: number | null;
  /** Which posts the contract counts; absent if all events of the account use the same rule. */
  rule?: CountingRule;
  /** Aligned with the event's ladder, ascending. */
  buckets: readonly PricedBucket[];
  /** Final counts on simulated paths shared by all events of the account; null if unavailable. */
  finals: readonly number[] | null;
  /** How often the venue pays a bucket other than the one with the final count; 0 if absent. */
  changeRate?: number;
  /** Evidence from settled events about gaps between model and market; the shipped prior if absent. */
  evidence?: EdgeEvidence;
  /** Absent on the account's first venue. */
  venue?: VenueId;
  /** Current advice, by bucket label; absent before the first evaluation. */
  standing?: Readonly<Record<string, StandingAdvice>>;
  /** Why there is no advice on this event now (a stale input); null or absent if all inputs are fresh. */
  blindness?: string | null;
}

/** What is known about a bucket before its price is considered. */
export interface BucketEdge {
  kind: 'fact' | 'model';
  /** Blended probability of Yes; sums to 1 over the ladder. */
  blended: number;
  /** What advice counts on: `blended`, or for a fact its probability after doubt about the count. */
  worth: number;
  /** Standard deviation of `worth`, and bounds corrected for selection. */
  sd: number;
  lower: number;
  upper: number;
  /** The fact as text; null if the edge comes from the model. */
  fact: string | null;
  /** Why the model's view cannot be used; null if it can be, and for a fact. */
  halt: string | null;
  /** The rule behind the edge, with its evidence; absent if none. */
  rule?: string;
  /** Largest share of full Kelly that the rule's evidence allows; absent without a rule or a limit. */
  kellyCap?: number;
}

/** Advice stays valid while all of these conditions hold. */
export interface ValidWhile {
  /** Buying: book price at most this. Selling: at least this. null if no trade is advised. */
  priceLimit: number | null;
  /** Our count for the window, both ends included; null for no limit. */
  countFrom: number | null;
  countTo: number | null;
}

/** The trade that would be advised at a different price. */
export interface ActAt {
  side: OutcomeSide;
  /** Book price at or below which it would be bought, and the current ask. */
  price: number;
  ask: number;
  /** The same two prices, including the fee. */
  worthAtCost: number;
  costPerShare: number;
}

/** The side that the model values most above its cost. */
export interface Disagreement {
  side: OutcomeSide;
  /** The model's own probability of the side. */
  model: number;
  ask: number;
  /** Ask plus fee. */
  costPerShare: number;
  /** Book price at or below which the side would be advised; null if there is none. */
  actAtPrice: number | null;
}

/** The single verdict on a bucket for one bankroll, shown everywhere. */
export interface Verdict extends Pick<StandingAdvice, 'sinceTs' | 'changedBecause'> {
  kind: VerdictKind;
  /** The kind of edge; null if no trade is advised. */
  edgeKind: EdgeKind | null;
  /** Highest book price at which to buy, or lowest at which to sell; null if no trade is advised. */
  limitPrice: number | null;
  /** Cost of the bought side, including the fee. */
  costPerShare: number | null;
  /** Shares available at the limit; null if unknown. */
  depthShares: number | null;
  kellyFraction: number;
  shares: number;
  stakeUsd: number;
  /** USD available at the limit; null if unknown. */
  fillableUsd: number | null;
  /** Probability that the traded side (Yes without a trade) wins after doubt about facts, and the bound used. */
  winProbability: number;
  winProbabilityLow: number;
  /** Expected gain per USD under the blended probability, after costs. */
  gainPerUsd: number;
  expectedGainUsd: number;
  /** True if no action is possible or allowed, as opposed to none being worthwhile. */
  isSkipped: boolean;
  /** Why there is no advice; null if there is advice. */
  abstainReason: string | null;
  actAt: ActAt | null;
  validWhile: ValidWhile;
  sentence: string;
  reasons: readonly string[];
}

export interface BucketSignal extends Pick<PricedBucket, 'modelProbability' | 'noTokenId'> {
  bucketLabel: string;
  /** Of the Yes share. */
  tokenId: string;
  action: SignalAction;
  marketPrice: number;
  edge: number;
  /** Expected value per USD bet at the executable cost. */
  ev: number;
  kellyFraction: number;
  suggestedBetUsd: number;
  confidence: ConfidenceClass;
  moneyness: number;
  timeConfidence: ConfidenceClass;
  /** oracle - ui; null when either is unknown. */
  asymmetryEdge: number | null;
  reasons: readonly string[];
  bankrollUsd: number;
  /** Executable cost per share including the fee, and its parts; null if the bucket cannot be bought. */
  costPerShare: number | null;
  feePerShare: number | null;
  suggestedShares: number;
  /** The edge behind the verdict. */
  basis: BucketEdge;
  /** Blended probability behind the stake, and its gain per USD at the executable cost. */
  blendedProbability: number;
  blendedEv: number;
  /** null if no side costs less than the model thinks it is worth. */
  disagreement: Disagreement | null;
  verdict: Verdict;
}

export interface StrategyEntry {
  strategy: StrategyName;
  buckets: readonly string[];
  stakeFraction: number;
  suggestedBetUsd: number;
  winProbability: number;
}

/** Realised record of a strategy, shown next to every entry. */
export interface RealisedRecord {
  winRate: number | null;
  sampleSize: number;
}

export interface EventSignals extends Pick<PricedEvent, 'eventId' | 'title' | 'endTs' | 'secondsRemaining'> {
  /** Why there is no advice on this event; null if all inputs are fresh. */
  blindness: string | null;
  /** Every bucket of the ladder, including closed ones, best edge first. */
  signals: readonly BucketSignal[];
  buy: readonly StrategyEntry[];
  sell: readonly StrategyEntry[];
}

/** Which actions an account's signals may take, and how aggressively it is sized; data, not code. */
export interface SizingRules {
  /** Whether SELL is available for the account; if not, SKIP replaces it. */
  allowsSell: boolean;
  /** Kelly fraction, applied as pooling towards the price. */
  kellyLambda: number;
  /** Fraction of the displayed depth that one order may take. */
  depthShare: number;
  twoBucket: StrategyGate;
  singleBucket: StrategyGate;
}

export interface StrategyGate {
  minWinProbability: number;
  minEv: number;
  maxStakeFraction: number;
}

export type PortfolioSignal = 'STRONG_BUY' | 'BUY' | 'HOLD' | 'AVOID' | 'SELL';
export type Recommendation = 'STRONG_HOLD' | 'HOLD' | 'MONITOR' | 'CONSIDER_SELLING';

export interface PositionSizing {
  targetValueUsd: number;
  adjustmentUsd: number;
  kellyFraction: number;
  action: 'ADD_MORE' | 'TRIM' | 'HOLD';
}

export interface ValuedPosition
  extends Pick<
    WalletPosition,
    'tokenId' | 'side' | 'shares' | 'avgPrice' | 'costUsd' | 'currentPrice' | 'currentValueUsd'
  > {
  eventId: number;
  bucketLabel: string;
  pnlUsd: number;
  pnlPercent: number;
  winProbability: number;
  marketImplied: number;
  edge: number;
  edgePercent: number;
  signal: PortfolioSignal;
  recommendation: Recommendation;
  /** Present only if a bankroll was given. */
  sizing?: PositionSizing;
}

export interface PortfolioTotals {
  totalPositions: number;
  totalCostUsd: number;
  currentValueUsd: number;
  totalPnlUsd: number;
  totalPnlPercent: number;
}

export interface EventPortfolio {
  eventId: number;
  positions: readonly ValuedPosition[];
  totals: PortfolioTotals;
}

export interface RebalancingPosition
  extends Pick<
    ValuedPosition,
    'bucketLabel' | 'side' | 'tokenId' | 'currentValueUsd' | 'currentPrice' | 'winProbability' | 'edge'
  > {
  action: 'ADD_MORE' | 'TRIM';
  targetValueUsd: number;
  /** Always positive; the action is the direction. */
  adjustmentUsd: number;
  adjustmentShares: number;
  reasons: readonly string[];
}
