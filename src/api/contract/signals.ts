// Signals and the price ladder: what they take and give.

import { envelope, MaybeNumber, named } from './envelope.ts';
import { Type } from './schema.ts';

export const BankrollParameter = Type.Number({ minimum: 1, maximum: 1_000_000, description: 'USD' });

export const SignalsQuery = Type.Object({
  bankroll: Type.Optional(BankrollParameter),
  only_with_signals: Type.Optional(Type.Boolean({ default: false })),
});

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
    signals: Type.Array(Signal),
    strategies: Type.Object({ buy: Type.Array(Strategy), sell: Type.Array(Strategy) }),
  }),
);

export const SignalsAnswer = envelope('SignalsAnswer', SignalsRecord);

export const LadderQuery = Type.Object({
  event_id: Type.Optional(Type.Integer({ description: 'Only this event; all active ones when absent' })),
  bankroll: Type.Optional(BankrollParameter),
});

const LadderRecord = named(
  'LadderRecord',
  Type.Object({
    event_id: Type.Integer(),
    event_title: Type.String(),
    bankroll: Type.Number(),
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
        ask_shares: MaybeNumber,
        fee_per_share: MaybeNumber,
        cost_per_share: MaybeNumber,
        edge: MaybeNumber,
        edge_percent: MaybeNumber,
        ev: Type.Number(),
        kelly_fraction: Type.Number(),
        target_shares: Type.Number(),
        target_value: Type.Number(),
        action: Type.Enum(['BUY', 'SELL', 'HOLD', 'SKIP']),
        reasons: Type.Array(Type.String()),
      }),
    ),
  }),
);

export const LadderAnswer = envelope('LadderAnswer', LadderRecord);
