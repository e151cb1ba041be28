// Schemas for posts, and for the counters that several responses share.

import { envelope, MaybeCount, named, Ts } from './envelope.ts';
import { Type } from './schema.ts';

export const COUNTERS = {
  market_oracle_counter: MaybeCount,
  real_counter: MaybeCount,
  market_ui_counter: MaybeCount,
};

export const DELTAS = {
  settlement_delta: MaybeCount,
  display_delta: MaybeCount,
  internal_delta: MaybeCount,
};

const PostRecord = named(
  'PostRecord',
  Type.Object({
    tweet_id: Type.String(),
    text: Type.String(),
    created_ts: Ts,
    is_reply: Type.Boolean(),
    is_quote: Type.Boolean(),
    is_retweet: Type.Boolean(),
    is_counted: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'PRO: true or false. Public: always null',
    }),
    is_deleted: Type.Boolean(),
  }),
);

export const TweetsAnswer = envelope('TweetsAnswer', PostRecord, {
  limit: Type.Integer(),
  offset: Type.Integer(),
});

export const TweetsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 15 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
});
