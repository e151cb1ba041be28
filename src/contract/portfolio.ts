// Request and response schemas for portfolio and rebalancing.

import { CountBounds, envelope, Feeds, MaybeNumber, named, Terms, Ts } from './envelope.ts';
import { Type } from './schema.ts';
import { Advice, BankrollParameter } from './signals.ts';

const Wallet = Type.String({ description: '0x followed by 40 hex characters, any case' });

export const PortfolioQuery = Type.Object({ wallet: Wallet, bankroll: Type.Optional(BankrollParameter) });
export const UnsizedPortfolioQuery = Type.Object({ wallet: Wallet });
export const RebalancingQuery = Type.Object({
  wallet: Wallet,
  bankroll: BankrollParameter,
  threshold: Type.Optional(Type.Number({ minimum: 1, maximum: 100, default: 5, description: 'USD' })),
});

const Outcome = Type.Enum(['Yes', 'No']);

const Position = named(
  'Position',
  Type.Object({
    event_id: Type.String(),
    bucket: Type.String(),
    outcome: Outcome,
    token_id: Type.String(),
    tokens: Type.Number(),
    avg_price: Type.Number(),
    cost_basis: Type.Number(),
    current_price: Type.Number(),
    current_value: Type.Number(),
    pnl: Type.Number(),
    pnl_percent: Type.Number(),
    analysis: Type.Object({
      win_probability: Type.Number(),
      market_implied: Type.Number(),
      edge: Type.Number(),
      edge_percent: Type.Number(),
      signal: Type.Enum(['STRONG_BUY', 'BUY', 'HOLD', 'AVOID', 'SELL']),
      recommendation: Type.Enum(['STRONG_HOLD', 'HOLD', 'MONITOR', 'CONSIDER_SELLING']),
    }),
    sizing: Type.Optional(
      Type.Object({
        target_value: Type.Number(),
        adjustment: Type.Number(),
        kelly_fraction: Type.Number(),
        action: Type.Enum(['ADD_MORE', 'TRIM', 'HOLD']),
      }),
    ),
    advice: Type.Optional(Advice),
  }),
);

const PortfolioRecord = named(
  'PortfolioRecord',
  Type.Object({
    wallet: Type.String(),
    event: Type.Union([
      Type.Object({
        id: Type.Integer(),
        title: Type.String(),
        end_ts: Ts,
        market_url: Type.Optional(Type.String({ description: 'Market page; absent unless configured' })),
        ...Terms,
      }),
      Type.Null(),
    ]),
    prediction: Type.Union([
      Type.Object({
        p5: MaybeNumber,
        p50: MaybeNumber,
        p95: MaybeNumber,
        real_counter: MaybeNumber,
        ...CountBounds,
        seconds_remaining: Type.Integer(),
        velocity_counted_1h: MaybeNumber,
      }),
      Type.Null(),
    ]),
    positions: Type.Array(Position),
    portfolio: Type.Object({
      total_positions: Type.Integer(),
      total_cost: Type.Number(),
      current_value: Type.Number(),
      total_pnl: Type.Number(),
      total_pnl_percent: Type.Number(),
    }),
    feeds: Type.Optional(Feeds),
    unread_positions: Type.Optional(
      Type.Array(Type.Object({ token_id: Type.Union([Type.String(), Type.Null()]), reason: Type.String() }), {
        description: 'Unreadable holdings that may belong to this event; absent if none',
      }),
    ),
    message: Type.Optional(Type.String()),
  }),
);

export const PortfolioAnswer = envelope('PortfolioAnswer', PortfolioRecord);

const RebalancingRecord = named(
  'RebalancingRecord',
  Type.Object({
    event_id: Type.Integer(),
    event_title: Type.String(),
    ...Terms,
    bankroll: Type.Number(),
    threshold: Type.Number(),
    feeds: Feeds,
    positions: Type.Array(
      Type.Object({
        bucket: Type.String(),
        outcome: Outcome,
        token_id: Type.String(),
        action: Type.Enum(['ADD_MORE', 'TRIM']),
        current_value: Type.Number(),
        target_value: Type.Number(),
        adjustment: Type.Number(),
        adjustment_shares: Type.Number(),
        current_price: Type.Number(),
        win_probability: Type.Number(),
        edge: Type.Number(),
        reasons: Type.Array(Type.String()),
      }),
    ),
  }),
);

export const RebalancingAnswer = envelope('RebalancingAnswer', RebalancingRecord);
