// Response schemas for predictions, by tier.

import { CountBounds, envelope, Feeds, MaybeNumber, named, Terms, Ts } from './envelope.ts';
import { COUNTERS, DELTAS } from './meta.ts';
import { Type } from './schema.ts';

const PERCENTILES = { p5: Type.Number(), p50: Type.Number(), p95: Type.Number() };

const Forecast = named(
  'Forecast',
  Type.Object({
    ...PERCENTILES,
    path: Type.Optional(
      Type.Array(Type.Object({ ts: Ts, ...PERCENTILES }), {
        description:
          'Percentiles of the running count from the forecast time to the end of the window, at most 60 points; the last point equals p5, p50 and p95.',
      }),
    ),
  }),
);

const PredictionMarket = named(
  'PredictionMarket',
  Type.Object({
    title: Type.String(),
    market_price: MaybeNumber,
    model_prob: Type.Optional(MaybeNumber),
    edge: Type.Optional(MaybeNumber),
    signal: Type.Optional(
      Type.Union([Type.Enum(['STRONG_BUY', 'BUY', 'SLIGHT_BUY', 'HOLD', 'SELL']), Type.Null()]),
    ),
    belief_prob: Type.Optional(MaybeNumber),
  }),
);

const PredictionRecord = named(
  'PredictionRecord',
  Type.Object({
    event_id: Type.Integer(),
    seconds_remaining: Type.Optional(Type.Integer()),
    ...COUNTERS,
    ...CountBounds,
    settlement_delta: Type.Optional(DELTAS.settlement_delta),
    display_delta: Type.Optional(DELTAS.display_delta),
    internal_delta: Type.Optional(DELTAS.internal_delta),
    feeds: Type.Optional(Feeds),
    sleep_probability: Type.Optional(MaybeNumber),
    velocity_counted_1h: Type.Optional(MaybeNumber),
    velocity_all_1h: Type.Optional(MaybeNumber),
    forecast: Type.Optional(Type.Union([Forecast, Type.Null()])),
    settlement_risk: Type.Optional(
      Type.Number({
        description: 'Probability that the venue pays out a bucket other than the one with the final count',
      }),
    ),
    ...Terms,
    markets: Type.Array(PredictionMarket),
  }),
);

export const PredictionAnswer = envelope('PredictionAnswer', PredictionRecord);
