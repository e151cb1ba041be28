// Scores for published forecasts, and the signals behind the track record.

import type { AccountId } from '../domain/account.ts';
import type { EdgeKind } from '../domain/standing-advice.ts';
import type { EntryDraft } from '../sealing/entry.ts';

export interface ForecastScore {
  eventId: number;
  accountId: AccountId;
  horizonH: number;
  /** End of the event's window. */
  endTs: number;
  finalCount: number;
  p50: number;
  errorPercent: number;
  crps: number;
  logScore: number;
  bucketLogScore: number;
  /** Randomised probability integral transform, and its bounds F(y-1), F(y). */
  pitLow: number;
  pitHigh: number;
  isInside50: boolean;
  isInside90: boolean;
  /** Probability and outcome per bucket, for reliability. */
  buckets: readonly { probability: number; won: boolean; marketPrice: number | null }[];
  /** CRPS and bucket log score of each baseline; 'market' is the de-vigged market. */
  baselines: Readonly<
    Record<string, { crps: number | null; bucketLogScore: number | null; p50: number | null }>
  >;
  modelVersion: string;
  scoredTs: number;
}

export interface ScoreStore {
  /** If an event is scored again (after a late correction), the new score replaces the old one. */
  upsert(scores: readonly ForecastScore[]): Promise<void>;
  list(filter: {
    accountId?: AccountId | undefined;
    horizonH?: number;
    endedAfterTs?: number;
  }): Promise<ForecastScore[]>;
}

export interface SignalRecord {
  eventId: number;
  accountId: AccountId;
  horizonH: number;
  bucketLabel: string;
  tokenId: string;
  confidence: 'HIGH' | 'MEDIUM' | 'LOW';
  /** null for a plain bucket signal, otherwise the strategy's name. */
  strategy: string | null;
  modelProbability: number;
  /** The kind of edge and the blended win probability; null in older records. */
  edgeKind: EdgeKind | null;
  winProbability: number | null;
  marketPrice: number;
  /** Executable cost per share, including the fee. */
  costPerShare: number;
  feePerShare: number;
  shares: number;
  stakeUsd: number;
  asofTs: number;
  /** null until the event settles. */
  won: boolean | null;
  pnlUsd: number | null;
  /** Midpoint one hour and 24 h after the fill, minus the fill price, per share; null while unknown. */
  closingLineValue: number | null;
  settledTs: number | null;
}

/** Inputs to an account's signals at one time, as serialised by the job that computed the signals. */
export interface SignalGrounds {
  accountId: AccountId;
  asofTs: number;
  content: string;
}

export interface SignalStore {
  /** Stores and logs the first write per event, horizon, bucket and strategy; `log` has one draft each. */
  record(
    signals: readonly SignalRecord[],
    grounds?: SignalGrounds,
    log?: readonly EntryDraft[],
  ): Promise<void>;
  findGrounds(accountId: AccountId, asofTs: number): Promise<string | null>;
  pruneGrounds(beforeTs: number): Promise<number>;
  settle(signals: readonly SignalRecord[]): Promise<void>;
  list(filter: {
    accountId?: AccountId | undefined;
    eventId?: number;
    settledOnly?: boolean;
  }): Promise<SignalRecord[]>;
}
