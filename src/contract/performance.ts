// Request and response schemas for forecast performance.

import { MaybeNumber, MaybeTs, named, Terms, Ts } from './envelope.ts';
import { Type } from './schema.ts';

const Iso = Type.String({ description: 'ISO 8601, UTC' });
const Horizon = Type.Enum([24, 48, 72]);

function accountParameter(segments: readonly string[]) {
  return Type.Optional(Type.Enum([...segments], { description: 'Only this account' }));
}

export function overviewQuery(segments: readonly string[]) {
  return Type.Object({ account: accountParameter(segments) });
}

/** Longest look-back of the history endpoint. */
export const MOST_DAYS = 365;

export function historyQuery(segments: readonly string[]) {
  return Type.Object({
    horizon: Type.Optional(Type.Enum([24, 48, 72], { default: 24, description: 'Hours before the end' })),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_DAYS, default: 30, description: 'Look-back in days' }),
    ),
    account: accountParameter(segments),
  });
}

const ErrorSummary = named(
  'ErrorSummary',
  Type.Object({ median: MaybeNumber, p90: MaybeNumber, sample_size: Type.Integer() }),
);

export const OverviewAnswer = named(
  'PerformanceOverview',
  Type.Object({
    error_24h: ErrorSummary,
    error_48h: ErrorSummary,
    error_72h: ErrorSummary,
    win_rate: Type.Object({ HIGH: MaybeNumber, MEDIUM: MaybeNumber, LOW: MaybeNumber }),
    win_rate_samples: Type.Object({ HIGH: Type.Integer(), MEDIUM: Type.Integer(), LOW: Type.Integer() }),
    last_updated: Iso,
  }),
);

export const HistoryAnswer = named(
  'PerformanceHistory',
  Type.Object({
    data: Type.Array(
      Type.Object({
        timestamp: Iso,
        error_pct: Type.Number(),
        event_id: Type.Integer(),
        ...Terms,
        account: Type.String(),
        p50: Type.Number(),
        final_count: Type.Integer(),
        model_version: Type.String(),
      }),
    ),
    annotations: Type.Array(Type.Object({ timestamp: Iso, label: Type.String(), commit: Type.String() })),
  }),
);

const ScoreLine = named(
  'ScoreLine',
  Type.Object({
    name: Type.String({ description: 'model, market, or the name of a baseline' }),
    crps: MaybeNumber,
    bucket_log_score: MaybeNumber,
    median_error_pct: MaybeNumber,
    sample_size: Type.Integer(),
  }),
);

const CalibrationRecord = named(
  'CalibrationRecord',
  Type.Object({
    account: Type.String(),
    horizon: Horizon,
    sample_size: Type.Integer(),
    pit_histogram: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), count: Type.Number() })),
    coverage_50: MaybeNumber,
    coverage_90: MaybeNumber,
    reliability: Type.Array(
      Type.Object({
        from: Type.Number(),
        to: Type.Number(),
        mean_probability: MaybeNumber,
        won_fraction: MaybeNumber,
        count: Type.Integer(),
      }),
    ),
    scores: Type.Array(ScoreLine),
  }),
);

const EdgeKindName = Type.Enum(['fact', 'structure', 'model']);

export const LedgerEntry = named(
  'LedgerEntry',
  Type.Object({
    timestamp: Ts,
    account: Type.String(),
    event_id: Type.Integer(),
    ...Terms,
    horizon: Type.Integer(),
    bucket: Type.String(),
    strategy: Type.Union([Type.String(), Type.Null()]),
    confidence: Type.Enum(['HIGH', 'MEDIUM', 'LOW']),
    model_prob: Type.Number(),
    market_price: Type.Number(),
    cost_per_share: Type.Number({ description: 'USD, including the fee' }),
    shares: Type.Number(),
    stake: Type.Number({ description: 'USD' }),
    won: Type.Union([Type.Boolean(), Type.Null()], { description: 'null until the event settles' }),
    pnl: MaybeNumber,
    settled_ts: MaybeTs,
    edge_kind: Type.Union([EdgeKindName, Type.Null()], { description: 'null for older records' }),
    win_probability: {
      ...MaybeNumber,
      description: 'Blended probability of winning, as stated when the bet was made',
    },
    closing_line_value: { ...MaybeNumber, description: 'Later midpoint minus cost, per share' },
  }),
);

const PredictedObserved = named(
  'PredictedObserved',
  Type.Object({
    edge_kind: EdgeKindName,
    probability_from: {
      ...MaybeNumber,
      description: 'Lower end of the probability range; null in the row for all bets of this kind',
    },
    probability_to: MaybeNumber,
    bets: Type.Integer({ description: 'Settled bets' }),
    events: Type.Integer(),
    predicted: { ...MaybeNumber, description: 'Mean stated probability' },
    observed: { ...MaybeNumber, description: 'Share of bets that won' },
    expected_low: {
      ...MaybeNumber,
      description: '90 % interval for the observed share if the stated probabilities are right',
    },
    expected_high: MaybeNumber,
    market_implied: { ...MaybeNumber, description: 'Mean market price of the sides bought' },
    return_on_stake: MaybeNumber,
    return_low: { ...MaybeNumber, description: '90 % interval, resampled by event' },
    return_high: MaybeNumber,
    closing_line_value: MaybeNumber,
    closing_line_sample: Type.Integer(),
  }),
);

export const LedgerAnswer = named(
  'PerformanceLedger',
  Type.Object({
    timestamp: Ts,
    summary: Type.Object({
      bets: Type.Integer({ description: 'Settled bets' }),
      events: Type.Integer(),
      staked: Type.Number(),
      pnl: Type.Number(),
      return_on_stake: MaybeNumber,
      return_low: MaybeNumber,
      return_high: MaybeNumber,
      max_drawdown: Type.Number(),
      closing_line_value: MaybeNumber,
      closing_line_sample: Type.Integer(),
    }),
    predicted_observed: Type.Array(PredictedObserved, {
      description: 'Predicted vs. observed, by edge kind and probability range',
    }),
    halts: Type.Array(Type.Object({ account: Type.String(), reason: Type.String() }), {
      description: 'Accounts with halted model advice, and why',
    }),
    data: Type.Array(LedgerEntry, { description: 'Newest first, at most 200' }),
  }),
);

export const CalibrationAnswer = named(
  'PerformanceCalibration',
  Type.Object({ timestamp: Ts, data: Type.Array(CalibrationRecord) }),
);
