// Request and response schemas for signals and the price ladder.

import { envelope, Feeds, MaybeNumber, named, Terms, Ts } from './envelope.ts';
import { DELTAS } from './meta.ts';
import { Type } from './schema.ts';

export const BankrollParameter = Type.Number({ minimum: 1, maximum: 1_000_000, description: 'USD' });

export const SignalsQuery = Type.Object({
  bankroll: Type.Optional(BankrollParameter),
  only_with_signals: Type.Optional(Type.Boolean({ default: false })),
});

/** The verdict on a bucket for the given bankroll. */
export const Advice = named(
  'Advice',
  Type.Object({
    verdict: Type.Enum(['BUY_YES', 'BUY_NO', 'EXIT', 'NOTHING']),
    token_id: Type.Union([Type.String(), Type.Null()], { description: 'Token id of the side to trade' }),
    limit_price: MaybeNumber,
    cost_per_share: MaybeNumber,
    depth_shares: MaybeNumber,
    shares: Type.Number(),
    stake: Type.Number({ description: 'USD' }),
    gain_per_usd: Type.Number({
      description: 'Expected gain per USD at the blended probability, after costs',
    }),
    expected_gain: Type.Number({ description: 'USD' }),
    edge_kind: Type.Union([Type.Enum(['fact', 'structure', 'model']), Type.Null()], {
      description: 'Kind of edge; null if no trade is advised',
    }),
    fillable_usd: { ...MaybeNumber, description: 'USD that can be filled at the limit price' },
    win_probability: Type.Number({
      description: 'Blended probability of the side to trade, or of Yes if no trade is advised',
    }),
    win_probability_low: Type.Number({ description: 'Lower bound on which the decision is based' }),
    abstain_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why there is no advice; null otherwise',
    }),
    act_at_side: Type.Union([Type.Enum(['Yes', 'No']), Type.Null()]),
    act_at_price: { ...MaybeNumber, description: 'Book price at or below which act_at_side becomes a buy' },
    since_ts: Ts,
    valid_while: named(
      'ValidWhile',
      Type.Object({
        price_limit: {
          ...MaybeNumber,
          description: 'Buy while the book price is at most this; sell while it is at least this',
        },
        count_from: MaybeNumber,
        count_to: MaybeNumber,
      }),
    ),
    changed_because: Type.Union([Type.String(), Type.Null()], { description: 'What changed at since_ts' }),
    sentence: Type.String(),
    reasons: Type.Array(Type.String()),
  }),
);

const Confidence = Type.Enum(['HIGH', 'MEDIUM', 'LOW']);

const Signal = named(
  'Signal',
  Type.Object({
    bucket: Type.String(),
    token_id: Type.String(),
    action: Type.Enum(['BUY', 'SELL', 'HOLD', 'SKIP']),
    model_prob: Type.Number(),
    market_price: Type.Number(),
    edge: Type.Number(),
    ev: Type.Number(),
    kelly_fraction: Type.Number(),
    suggested_bet: Type.Number(),
    confidence: Confidence,
    moneyness: Type.Number(),
    time_confidence: Confidence,
    asymmetry_edge: MaybeNumber,
    reasons: Type.Array(Type.String()),
    bankroll: Type.Number(),
    cost_per_share: MaybeNumber,
    fee_per_share: MaybeNumber,
    suggested_shares: Type.Number(),
    belief_prob: Type.Number({ description: 'Blend of the model and market probabilities, used for sizing' }),
    belief_ev: Type.Number(),
    advice: Advice,
  }),
);

const Strategy = named(
  'Strategy',
  Type.Object({
    strategy: Type.Enum(['TWO_BUCKET', 'SINGLE_BUCKET', 'RISK_MANAGEMENT']),
    buckets: Type.Array(Type.String()),
    stake_fraction: Type.Number(),
    suggested_bet: Type.Number(),
    win_probability: Type.Number(),
    realised_win_rate: MaybeNumber,
    sample_size: Type.Integer(),
  }),
);

const SignalsRecord = named(
  'SignalsRecord',
  Type.Object({
    event_id: Type.Integer(),
    event_title: Type.String(),
    ...Terms,
    market_url: Type.Union([Type.String(), Type.Null()], {
      description: "The event's page on the market's site",
    }),
    feeds: Feeds,
    signals: Type.Array(Signal),
    strategies: Type.Object({ buy: Type.Array(Strategy), sell: Type.Array(Strategy) }),
  }),
);

export const SignalsAnswer = envelope('SignalsAnswer', SignalsRecord);

export const LadderQuery = Type.Object({
  event_id: Type.Optional(Type.Integer({ description: 'Only this event; default: all active events' })),
  bankroll: Type.Optional(BankrollParameter),
});

export const LadderRecord = named(
  'LadderRecord',
  Type.Object({
    event_id: Type.Integer(),
    event_title: Type.String(),
    ...Terms,
    bankroll: Type.Number(),
    feeds: Feeds,
    rows: Type.Array(
      Type.Object({
        bucket: Type.String(),
        low: Type.Integer(),
        high: Type.Union([Type.Integer(), Type.Null()]),
        token_id: Type.String(),
        model_prob: Type.Number(),
        market_price: MaybeNumber,
        bid: MaybeNumber,
        ask: MaybeNumber,
        bid_shares: { ...MaybeNumber, description: 'Shares at the best bid' },
        ask_shares: { ...MaybeNumber, description: 'Shares at the best ask' },
        fee_per_share: MaybeNumber,
        cost_per_share: MaybeNumber,
        edge: MaybeNumber,
        edge_percent: MaybeNumber,
        ev: Type.Number(),
        kelly_fraction: Type.Number(),
        target_shares: Type.Number(),
        target_value: Type.Number(),
        action: Type.Enum(['BUY', 'SELL', 'HOLD', 'SKIP']),
        belief_prob: Type.Number(),
        advice: Advice,
        reasons: Type.Array(Type.String()),
      }),
    ),
  }),
);

export const LadderAnswer = envelope('LadderAnswer', LadderRecord);

export const OpportunitiesQuery = Type.Object({
  bankroll: Type.Optional(BankrollParameter),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});

const PLACE = {
  account: Type.String(),
  event_id: Type.Integer(),
  event_title: Type.String(),
  ...Terms,
  bucket: Type.String(),
  seconds_remaining: Type.Integer(),
  market_price: Type.Number(),
  model_prob: Type.Number(),
  belief_prob: Type.Number(),
  market_url: Type.Union([Type.String(), Type.Null()]),
};

const Opportunity = named(
  'Opportunity',
  Type.Object({
    ...PLACE,
    ...Advice.properties,
    settlement_delta: DELTAS.settlement_delta,
    settlement_risk: Type.Union([Type.Number(), Type.Null()], {
      description: 'Probability that the venue pays out a bucket other than the one with the final count',
    }),
    feeds: Feeds,
  }),
);

export const OpportunitiesAnswer = envelope('OpportunitiesAnswer', Opportunity, {
  bankroll: Type.Number(),
  nearest: Type.Union([
    named(
      'NearestMiss',
      Type.Object({
        ...PLACE,
        cost_per_share: Type.Number(),
        worth_at_cost: Type.Number({ description: 'Worth buying at or below this cost' }),
        act_at_side: Type.Enum(['Yes', 'No']),
        act_at_price: Type.Number({ description: 'Book price at or below which act_at_side becomes a buy' }),
        abstain_reason: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    Type.Null(),
  ]),
  blind: Type.Array(
    Type.Object({
      account: Type.String(),
      event_id: Type.Integer(),
      event_title: Type.String(),
      ...Terms,
      buckets: Type.Array(Type.String()),
      reason: Type.String(),
    }),
    { description: 'Events without advice, and why' },
  ),
  halts: Type.Array(Type.Object({ account: Type.String(), reason: Type.String() }), {
    description: 'Accounts with halted model advice, and why',
  }),
});
