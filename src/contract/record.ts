// Request and response schemas for the complete performance record.

import { MaybeNumber, MaybeTs, named, Terms, Ts } from './envelope.ts';
import { Type } from './schema.ts';

export function recordQuery(segments: readonly string[]) {
  return Type.Object({
    account: Type.Optional(Type.Enum([...segments], { description: 'Only this account' })),
    horizon: Type.Optional(Type.Enum([24, 48, 72], { default: 24, description: 'Hours before the end' })),
  });
}

const Estimate = named(
  'RecordEstimate',
  Type.Object(
    {
      mean: MaybeNumber,
      low: {
        ...MaybeNumber,
        description: 'Lower end of the 90 % interval, resampled by event; null below 3 events',
      },
      high: MaybeNumber,
      events: Type.Integer(),
    },
    { description: 'Lower is better, except for returns' },
  ),
);

const Forecaster = named(
  'RecordForecaster',
  Type.Object({
    name: Type.Enum(['model', 'market', 'blend']),
    log_score: Estimate,
    ranked_score: { ...Estimate, description: 'CRPS over the ladder, in buckets' },
    return_on_stake: {
      ...Estimate,
      description:
        'Return on a stake spread over the buckets in proportion to the forecast, at quoted prices and before fees; higher is better',
    },
  }),
);

const Member = named(
  'RecordMember',
  Type.Object({
    name: Type.String({
      description: 'model, market, or the name of a baseline or an ensemble member',
    }),
    crps: { ...Estimate, description: 'CRPS in posts' },
    log_score: Estimate,
  }),
);

const Lead = named(
  'RecordLead',
  Type.Object({
    horizon: Type.Integer(),
    median_error_pct: MaybeNumber,
    low: { ...MaybeNumber, description: '90 % interval of the median, resampled by event' },
    high: MaybeNumber,
    events: Type.Integer(),
  }),
);

const Bin = named(
  'RecordReliability',
  Type.Object({
    from: Type.Number(),
    to: Type.Number(),
    mean_probability: MaybeNumber,
    won_fraction: MaybeNumber,
    low: { ...MaybeNumber, description: '90 % interval, resampled by event' },
    high: MaybeNumber,
    buckets: Type.Integer(),
    events: Type.Integer(),
  }),
);

const Point = named(
  'RecordPoint',
  Type.Object({
    event_id: Type.Integer(),
    ...Terms,
    account: Type.String(),
    end_ts: Ts,
    p50: Type.Number(),
    final_count: Type.Integer(),
    error_pct: Type.Number(),
    inside_90: Type.Boolean({ description: 'Whether the outcome was inside the 90 % interval' }),
    log_score: Type.Number(),
    market_log_score: MaybeNumber,
  }),
);

const Section = named(
  'RecordSection',
  Type.Object({
    events: Type.Integer({ description: 'Settled events with a forecast at this horizon' }),
    first_end_ts: MaybeTs,
    last_end_ts: MaybeTs,
    forecasters: Type.Array(Forecaster, {
      description: 'Scored on events with market prices; the blend uses its shipped weights',
    }),
    members: Type.Array(Member, { description: 'Best CRPS first' }),
    by_lead: Type.Array(Lead),
    reliability: Type.Array(Bin),
    points: Type.Array(Point, { description: 'Ordered by end time' }),
  }),
);

export const RecordAnswer = named(
  'PerformanceRecord',
  Type.Object({
    timestamp: Ts,
    horizon: Type.Integer(),
    account: Type.Union([Type.String(), Type.Null()]),
    forward: { ...Section, description: 'Forecasts published before the outcome' },
    recomputed: {
      ...Section,
      description: 'Forecasts computed later from data available at the time; never published',
    },
    advice: Type.Object(
      {
        bets: Type.Integer(),
        events: Type.Integer(),
        return_on_stake: MaybeNumber,
        low: MaybeNumber,
        high: MaybeNumber,
      },
      {
        description:
          'Paper trades on settled events, at cost including fees; 90 % interval, resampled by event',
      },
    ),
    newest_seal: Type.Union([Type.Object({ hour_ts: Ts, chain: Type.String() }), Type.Null()], {
      description: 'See /performance/seals',
    }),
  }),
);
