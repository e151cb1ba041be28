// Request and response schemas for meta, tweets and crypto.

import { CountBounds, envelope, Feeds, MaybeCount, MaybeNumber, named, Terms, Ts } from './envelope.ts';
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

const CountersRecord = named(
  'CountersRecord',
  Type.Object({
    event_id: Type.Integer(),
    event_title: Type.String(),
    image: Type.String(),
    start_ts: Ts,
    end_ts: Ts,
    ...COUNTERS,
    ...CountBounds,
    ...DELTAS,
    feeds: Feeds,
    ...Terms,
  }),
);

export const MetaAnswer = envelope('MetaAnswer', CountersRecord);

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

const CryptoRecord = named(
  'CryptoRecord',
  Type.Object({
    event_id: Type.Integer(),
    event_title: Type.String(),
    image: Type.String(),
    asset: Type.String(),
    market_type: Type.Enum(['updown', 'above', 'range', 'touch']),
    interval: Type.String(),
    start_ts: Ts,
    end_ts: Ts,
    seconds_remaining: Type.Integer(),
    strike: MaybeNumber,
    reference_price: MaybeNumber,
    reference_source: Type.Union([Type.String(), Type.Null()]),
    tokens: Type.Array(
      Type.Object({
        label: Type.String(),
        token_id: Type.String(),
        price: MaybeNumber,
        best_bid: MaybeNumber,
        best_ask: MaybeNumber,
      }),
    ),
    volume: Type.Number(),
    liquidity: Type.Number(),
    fee_rate: Type.Number(),
  }),
);

export const CryptoAnswer = envelope('CryptoAnswer', CryptoRecord);
