// Request and response schemas for the history of forecasts and prices.

import { envelope, MaybeCount, MaybeNumber, named, objectEnvelope, Terms, Ts } from './envelope.ts';
import { LedgerEntry } from './performance.ts';
import { Type } from './schema.ts';

/** The latest time a Date can represent. */
const LAST_TS = 8_640_000_000_000_000;

const TIMES_AND_PAGE = {
  from: Type.Optional(
    Type.Integer({ minimum: 0, maximum: LAST_TS, default: 0, description: 'UTC milliseconds' }),
  ),
  to: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LAST_TS,
      default: LAST_TS,
      description: 'UTC milliseconds, exclusive',
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 64, description: 'next_cursor from the previous page' })),
  format: Type.Optional(Type.Enum(['json', 'csv'], { description: 'Default: chosen by the Accept header' })),
};

export const PastEventsQuery = Type.Object({
  ...TIMES_AND_PAGE,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});

export const CourseQuery = Type.Object({
  ...TIMES_AND_PAGE,
  step: Type.Optional(
    Type.Enum(['hour', 'all'], {
      default: 'hour',
      description: 'The last point of each hour, or all stored points',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 200 })),
});

const Settled = named(
  'SettledEvent',
  Type.Object({
    final_count: Type.Integer(),
    winning_bucket: Type.Union([Type.String(), Type.Null()]),
    source: Type.String(),
    revision: Type.Integer({ description: 'Starts at 1 and increases with every correction' }),
    settled_ts: Ts,
  }),
);

export const PAST_EVENT = {
  event_id: Type.Integer(),
  event_title: Type.String(),
  ...Terms,
  start_ts: Ts,
  end_ts: Ts,
  buckets: Type.Array(
    Type.Object({
      bucket: Type.String(),
      low: Type.Integer(),
      high: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
  settlement: Type.Union([Settled, Type.Null()], { description: 'null until the event settles' }),
};

const NextCursor = Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' });

export const PastEventsAnswer = envelope('PastEventsAnswer', named('PastEvent', Type.Object(PAST_EVENT)), {
  next_cursor: NextCursor,
});

const CoursePoint = named(
  'CoursePoint',
  Type.Object({
    timestamp: Ts,
    real_counter: Type.Integer(),
    market_oracle_counter: MaybeCount,
    market_ui_counter: MaybeCount,
    market_prices: Type.Array(MaybeNumber, { description: 'One per bucket; null if unknown' }),
    forecast: Type.Optional(
      Type.Object({ p5: Type.Number(), p50: Type.Number(), p95: Type.Number() }, { description: 'PRO' }),
    ),
    model_probs: Type.Optional(Type.Array(Type.Number(), { description: 'PRO; one per bucket' })),
    model_version: Type.Optional(Type.String({ description: 'PRO' })),
    recomputed: Type.Optional(
      Type.Boolean({
        description: 'true if computed later from stored posts; absent for points recorded at the time',
      }),
    ),
  }),
);

export const CourseAnswer = objectEnvelope(
  'CourseAnswer',
  named(
    'EventCourse',
    Type.Object({
      ...PAST_EVENT,
      points: Type.Array(CoursePoint, { description: 'Earliest first' }),
      past_prices_problem: Type.Optional(
        Type.String({ description: 'Why past_prices is missing or incomplete; absent if it is complete' }),
      ),
      past_prices: Type.Optional(
        Type.Array(Type.Object({ timestamp: Ts, market_prices: Type.Array(MaybeNumber) }), {
          description:
            "Hourly prices from the market's own history, from before this service recorded prices; on the first page only, absent if there are none",
        }),
      ),
      signals: Type.Optional(Type.Array(LedgerEntry, { description: 'PRO; signals and their results' })),
      next_cursor: NextCursor,
    }),
  ),
);
