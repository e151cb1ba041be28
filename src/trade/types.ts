// What sizing takes and gives. Every number is one that a careful trader can reproduce and execute.

import type { FeeSchedule } from '../domain/market-event.ts';
import type { OutcomeSide } from '../domain/position.ts';
import type { Quote } from '../domain/quote.ts';

export type ConfidenceClass = 'HIGH' | 'MEDIUM' | 'LOW';
export type SignalAction = 'BUY' | 'SELL' | 'HOLD' | 'SKIP';
export type StrategyName = 'TWO_BUCKET' | 'SINGLE_BUCKET' | 'RISK_MANAGEMENT';

/** One bucket with what the model and the market say of it. */
export interface PricedBucket {
  label: string;
  lo: number;
  hi: number | null;
  yesTokenId: string;
  noTokenId: string;
  isOpen: boolean;
  tickSize: number;
  minOrderShares: number;
  fee: FeeSchedule;
  modelProbability: number;
  /** Midpoint, last trade or listed price; null when the market shows none. */
  marketPrice: number | null;
  yesQuote: Quote | null;
  noQuote: Quote | null;
}

export interface PricedEvent {
  eventId: number;
  title: string;
  endTs: number;
  secondsRemaining: number;
  p50: number;
  /** Of a bucket probability near one half, from the disagreement of the pool's members. */
  modelSd: number;
  oracleCount: number | null;
  uiCount: number | null;
  /** Aligned with the event's ladder, ascending. */
  buckets: readonly PricedBucket[];
  /** Final counts on common simulated paths, the same paths for all events of the account; null when not at hand. */
  finals: readonly number[] | null;
  /** Weight of the model against the market's prices when sizing, learned from settled events; absent: the prior. */
  modelWeight?: number;
  /** Why nothing may be advised on this event now: what it rests on was not heard lately. null or absent: all was. */
  blindness?: string | null;
}

export type VerdictKind = 'buy-yes' | 'buy-no' | 'exit' | 'nothing';

/** The one verdict on a bucket for one bankroll. */
export interface Verdict {
  kind: VerdictKind;
  /** Price on the book up to which to buy, or down to which to sell; null for nothing. */
  limitPrice: number | null;
  /** With fee, of the side that is bought. */
  costPerShare: number | null;
  /** Shares that the book shows at the limit; null when it does not say. */
  depthShares: number | null;
  kellyFraction: number;
  shares: number;
  stakeUsd: number;
  /** Expected gain per USD under the belief, after cost. */
  gainPerUsd: number;
  expectedGainUsd: number;
  /** Nothing can or may be done, in contrast to nothing being worth it. */
  isSkipped: boolean;
  sentence: string;
  reasons: readonly string[];
}

export interface BucketSignal {
  bucketLabel: string;
  tokenId: string;
  action: SignalAction;
  modelProbability: number;
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
  /** Executable cost per share with fee, and its parts; null where the bucket cannot be bought. */
  costPerShare: number | null;
  feePerShare: number | null;
  suggestedShares: number;
  /** Model and market pooled: what is bet on, and what it gains per USD at the executable cost. */
  believedProbability: number;
  believedEv: number;
  noTokenId: string;
  verdict: Verdict;
}

export interface StrategyEntry {
  strategy: StrategyName;
  buckets: readonly string[];
  stakeFraction: number;
  suggestedBetUsd: number;
  winProbability: number;
}

/** Realised record of a strategy, told beside every entry. */
export interface RealisedRecord {
  winRate: number | null;
  sampleSize: number;
}

export interface EventSignals {
  eventId: number;
  title: string;
  endTs: number;
  secondsRemaining: number;
  /** Why nothing is advised here; null when all that advice rests on was heard. */
  blindness: string | null;
  /** Every bucket of the ladder, closed ones as well, best edge first. */
  signals: readonly BucketSignal[];
  buy: readonly StrategyEntry[];
  sell: readonly StrategyEntry[];
}

/** Which actions an account's signals may carry, and how boldly it is sized; data, not code. */
export interface SizingRules {
  /** Whether SELL exists for the account; where not, a would-be SELL is SKIP. */
  allowsSell: boolean;
  /** Fractional Kelly, as pooling toward the price. */
  kellyLambda: number;
  /** Share of the displayed depth that one order may take. */
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

export interface ValuedPosition {
  eventId: number;
  bucketLabel: string;
  tokenId: string;
  side: OutcomeSide;
  shares: number;
  avgPrice: number;
  costUsd: number;
  currentPrice: number;
  currentValueUsd: number;
  pnlUsd: number;
  pnlPercent: number;
  winProbability: number;
  marketImplied: number;
  edge: number;
  edgePercent: number;
  signal: PortfolioSignal;
  recommendation: Recommendation;
  /** Only when a bankroll was given. */
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

export interface RebalancingPosition {
  bucketLabel: string;
  side: OutcomeSide;
  tokenId: string;
  action: 'ADD_MORE' | 'TRIM';
  currentValueUsd: number;
  targetValueUsd: number;
  /** Positive; the action gives the direction. */
  adjustmentUsd: number;
  adjustmentShares: number;
  currentPrice: number;
  winProbability: number;
  edge: number;
  reasons: readonly string[];
}
