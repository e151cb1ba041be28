// Schemas shared by many responses.

import type { TArray, TInteger, TObject, TProperties, TSchema } from 'typebox';
import { Type } from './schema.ts';

export const MaybeNumber = Type.Union([Type.Number(), Type.Null()]);
export const MaybeCount = Type.Union([Type.Integer(), Type.Null()], {
  description: 'null until the feed first responds',
});
export const Ts = Type.Integer({ description: 'UTC milliseconds' });
export const MaybeTs = Type.Union([Type.Integer(), Type.Null()], {
  description: 'UTC milliseconds; null if never',
});

export function named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, title: name };
}

export function envelope<T extends TSchema, M extends TProperties = Record<never, never>>(
  name: string,
  element: T,
  more?: M,
): TObject<{ timestamp: TInteger; data: TArray<T> } & M> {
  const timestamp = Type.Integer({ description: 'Response time, UTC milliseconds' });
  return named(name, Type.Object({ timestamp, data: Type.Array(element), ...(more as M) }));
}

export function objectEnvelope<T extends TSchema>(name: string, element: T) {
  return named(name, Type.Object({ timestamp: Ts, data: element }));
}

export const FeedAge = named(
  'FeedAge',
  Type.Object({
    updated_ts: MaybeTs,
    age_s: Type.Union([Type.Integer(), Type.Null()]),
    stale: Type.Boolean({ description: 'No update for longer than allowed, or incomplete' }),
    incomplete: Type.Optional(
      Type.Boolean({ description: 'Older posts are not all read yet, so counts may be too low: no advice' }),
    ),
    source: Type.Optional(Type.String({ description: 'Source in use' })),
    lag_s: Type.Optional(Type.Integer({ description: 'Median delay of that source, in seconds' })),
  }),
);

/** Input freshness. There is no advice while own, oracle, prices or forecast is stale. */
export const Feeds = named(
  'Feeds',
  Type.Object({ own: FeedAge, oracle: FeedAge, ui: FeedAge, prices: FeedAge, forecast: FeedAge }),
);

/** An event's venue, counting rule and settlement source. */
export const Terms = {
  venue: Type.Optional(
    Type.String({ description: 'Venue that lists the contract; `market` for the first venue' }),
  ),
  counting_rule: Type.Optional(Type.String({ description: 'Which posts count, in plain English' })),
  settlement_source: Type.Optional(
    Type.String({ description: 'The list or count that the venue settles on' }),
  ),
};

export const ErrorBody = named('ErrorBody', Type.Object({ detail: Type.String() }));

export const ChallengeBody = named(
  'PaymentChallenge',
  Type.Object({ detail: Type.String() }, { additionalProperties: true }),
);

export const ValidationBody = named(
  'ValidationError',
  Type.Object({
    detail: Type.Array(
      Type.Object({
        type: Type.String(),
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
        msg: Type.String(),
        ctx: Type.Optional(Type.Object({}, { additionalProperties: true })),
      }),
    ),
  }),
);

/** Present if it is uncertain whether some posts count. */
export const CountBounds = {
  real_counter_low: Type.Optional(Type.Integer({ description: 'real_counter without uncertain posts' })),
  real_counter_high: Type.Optional(Type.Integer({ description: 'real_counter with all uncertain posts' })),
};
