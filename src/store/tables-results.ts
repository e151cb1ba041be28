// Forecasts, scores, signals, settlements, and what is stored about their sources.

import type { Happening } from '../domain/happening.ts';
import type { EdgeKind } from '../domain/standing-advice.ts';
import {
  type Column,
  createRecordTable,
  flag,
  json,
  named,
  orNull,
  type RecordOf,
  real,
  text,
  whole,
  word,
} from './record-table.ts';

/** A forecast without its distribution and baselines. */
export const FORECAST_POINTS = createRecordTable({
  asofTs: whole,
  countSoFar: whole,
  p5: real,
  p50: real,
  p95: real,
  bucketProbabilities: json<readonly number[]>(),
  /** Yes prices at the same time, in bucket order; null if unknown. */
  marketPrices: json<readonly (number | null)[]>(),
  modelVersion: text,
});

export type ForecastPoint = RecordOf<typeof FORECAST_POINTS.columns>;

export const SCORES = createRecordTable({
  eventId: whole,
  accountId: text,
  horizonH: whole,
  /** End of the event's window. */
  endTs: whole,
  finalCount: whole,
  p50: real,
  errorPercent: real,
  crps: real,
  logScore: real,
  bucketLogScore: real,
  /** Randomised probability integral transform, and its bounds F(y-1), F(y). */
  pitLow: real,
  pitHigh: real,
  isInside50: named('is_inside_50', flag),
  isInside90: named('is_inside_90', flag),
  /** Probability and outcome per bucket, for reliability. */
  buckets: json<readonly { probability: number; won: boolean; marketPrice: number | null }[]>(),
  /** CRPS and bucket log score of each baseline; 'market' is the de-vigged market. */
  baselines:
    json<
      Readonly<Record<string, { crps: number | null; bucketLogScore: number | null; p50: number | null }>>
    >(),
  modelVersion: text,
  scoredTs: whole,
});

export type ForecastScore = RecordOf<typeof SCORES.columns>;

/** Null is stored as an empty text, because a unique key cannot contain null. */
const emptyIfNull: Column<string | null, string> = {
  sql: 'text',
  name: '',
  encode: (value) => value ?? '',
  decode: (stored) => (stored === '' ? null : stored),
};

export const SIGNALS = createRecordTable({
  eventId: whole,
  accountId: text,
  horizonH: whole,
  bucketLabel: text,
  tokenId: text,
  confidence: word<'HIGH' | 'MEDIUM' | 'LOW'>(),
  /** null for a plain bucket signal, otherwise the strategy's name. */
  strategy: emptyIfNull,
  modelProbability: real,
  /** The kind of edge and the blended win probability; null in older records. */
  edgeKind: orNull(word<EdgeKind>()),
  winProbability: orNull(real),
  marketPrice: real,
  /** Executable cost per share, including the fee. */
  costPerShare: real,
  feePerShare: real,
  shares: real,
  stakeUsd: real,
  asofTs: whole,
  /** null until the event settles. */
  won: orNull(flag),
  pnlUsd: orNull(real),
  /** Midpoint one hour and 24 h after the fill, minus the fill price, per share; null while unknown. */
  closingLineValue: orNull(real),
  settledTs: orNull(whole),
});

export type SignalRecord = RecordOf<typeof SIGNALS.columns>;

export const HAPPENINGS = createRecordTable({
  accountId: text,
  eventId: whole,
  kind: word<Happening['kind']>(),
  bucketLabel: text,
  fromTs: whole,
  endedTs: orNull(whole),
  /** The end, or the start while it lasts. */
  changedTs: whole,
  content: json<Happening['content']>(),
});

export const SETTLEMENTS = createRecordTable({
  eventId: whole,
  accountId: text,
  finalCount: whole,
  winningLabel: orNull(text),
  /** 'oracle' once the oracle has caught up, 'market' if only the market's own resolution is known. */
  source: text,
  /** Starts at 1 and increases with every correction. */
  revision: whole,
  settledTs: whole,
});

export type Settlement = RecordOf<typeof SETTLEMENTS.columns>;

/** A model or build change, marked on the performance charts. */
export const ANNOTATIONS = createRecordTable({
  ts: whole,
  label: text,
  commit: named('build_commit', text),
});

export type Annotation = RecordOf<typeof ANNOTATIONS.columns>;

/** A post as first listed by the oracle. */
export const ORACLE_POSTS = createRecordTable({
  accountId: text,
  postId: text,
  createdTs: whole,
  /** As given by the oracle; null if absent. */
  importedTs: orNull(whole),
  /** When it was first seen in the oracle's list. */
  listedTs: whole,
});
