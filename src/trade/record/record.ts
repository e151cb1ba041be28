// Win rates of each signal class, with intervals that reflect the small sample.

import { computeWilsonInterval } from '../../forecast/scoring/block-bootstrap.ts';
import { roundExact } from '../decimal.ts';
import type { ConfidenceClass, EdgeKind, RealisedRecord, StrategyName } from '../types.ts';

/** Fields of a signal at a scored horizon that the track record needs. */
export interface RecordedSignal {
  eventId: number;
  horizonH: number;
  confidence: ConfidenceClass;
  /** null for a plain bucket signal. */
  strategy: string | null;
  modelProbability: number;
  /** Kind of edge and blended win probability; null if not recorded. */
  edgeKind: EdgeKind | null;
  winProbability: number | null;
  /** Market price of the bought side. */
  marketPrice: number;
  costPerShare: number;
  shares: number;
  stakeUsd: number;
  asofTs: number;
  /** null until settled. */
  won: boolean | null;
  pnlUsd: number | null;
  closingLineValue: number | null;
}

export interface Interval {
  lo: number;
  hi: number;
}

export interface WinRate extends RealisedRecord {
  wins: number;
  /** Wilson interval at 95 percent, as fractions; null without a sample. */
  interval: Interval | null;
}

/** `winRate` is a fraction from 0 to 1; null without a sample. */
export function computeWinRate(signals: readonly Pick<RecordedSignal, 'won'>[]): WinRate {
  const settled = signals.filter((signal) => signal.won !== null);
  const wins = settled.filter((signal) => signal.won).length;
  return {
    wins,
    sampleSize: settled.length,
    winRate: settled.length === 0 ? null : roundExact(wins / settled.length),
    interval: computeWilsonInterval(wins, settled.length),
  };
}

/** Win rates of plain bucket signals, by confidence class. */
export function computeClassRecord(signals: readonly RecordedSignal[]): Record<ConfidenceClass, WinRate> {
  const plain = signals.filter((signal) => signal.strategy === null);
  const rateOf = (confidence: ConfidenceClass) =>
    computeWinRate(plain.filter((signal) => signal.confidence === confidence));
  return { HIGH: rateOf('HIGH'), MEDIUM: rateOf('MEDIUM'), LOW: rateOf('LOW') };
}

/** Win rates of strategy entries. The contract's stated rates are shown only next to these. */
export function computeStrategyRecord(signals: readonly RecordedSignal[]): Record<StrategyName, WinRate> {
  const rateOf = (strategy: StrategyName) =>
    computeWinRate(signals.filter((signal) => signal.strategy === strategy));
  return {
    TWO_BUCKET: rateOf('TWO_BUCKET'),
    SINGLE_BUCKET: rateOf('SINGLE_BUCKET'),
    RISK_MANAGEMENT: rateOf('RISK_MANAGEMENT'),
  };
}
