// The verdict on a bucket, as shown in every response, and the bankroll it is sized for.

import { MaybeNumber, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { BucketSignal, ValidWhile, VerdictKind } from '../../trade/types.ts';
import { cents, maybeSix, recordOf, rowsOf, six } from './record.ts';

export const BankrollParameter = Type.Number({ minimum: 1, maximum: 1_000_000, description: 'USD' });

export const VERDICT_WORDS = {
  'buy-yes': 'BUY_YES',
  'buy-no': 'BUY_NO',
  exit: 'EXIT',
  nothing: 'NOTHING',
} as const satisfies Record<VerdictKind, string>;

export interface AdviceSource {
  signal: Pick<BucketSignal, 'verdict' | 'tokenId' | 'noTokenId'>;
}

const ConditionRecord = recordOf<ValidWhile>('ValidWhile')({
  price_limit: [
    {
      ...MaybeNumber,
      description: 'Buy while the book price is at most this; sell while it is at least this',
    },
    ({ priceLimit }) => priceLimit,
  ],
  count_from: [MaybeNumber, ({ countFrom }) => countFrom],
  count_to: [MaybeNumber, ({ countTo }) => countTo],
});

export const adviceRows = rowsOf<AdviceSource>()({
  verdict: [
    Type.Enum(['BUY_YES', 'BUY_NO', 'EXIT', 'NOTHING']),
    ({ signal: { verdict } }) => VERDICT_WORDS[verdict.kind],
  ],
  token_id: [
    Type.Union([Type.String(), Type.Null()], { description: 'Token id of the side to trade' }),
    ({ signal }) => findTradedToken(signal),
  ],
  limit_price: [MaybeNumber, ({ signal: { verdict } }) => verdict.limitPrice],
  cost_per_share: maybeSix(({ signal: { verdict } }: AdviceSource) => verdict.costPerShare),
  depth_shares: [MaybeNumber, ({ signal: { verdict } }) => verdict.depthShares],
  shares: cents(({ signal: { verdict } }: AdviceSource) => verdict.shares),
  stake: cents(({ signal: { verdict } }: AdviceSource) => verdict.stakeUsd, { description: 'USD' }),
  gain_per_usd: six(({ signal: { verdict } }: AdviceSource) => verdict.gainPerUsd, {
    description: 'Expected gain per USD at the blended probability, after costs',
  }),
  expected_gain: six(({ signal: { verdict } }: AdviceSource) => verdict.expectedGainUsd, {
    description: 'USD',
  }),
  edge_kind: [
    Type.Union([Type.Enum(['fact', 'structure', 'model']), Type.Null()], {
      description: 'Kind of edge; null if no trade is advised',
    }),
    ({ signal: { verdict } }) => verdict.edgeKind,
  ],
  fillable_usd: [
    { ...MaybeNumber, description: 'USD that can be filled at the limit price' },
    ({ signal: { verdict } }) => verdict.fillableUsd,
  ],
  win_probability: six(({ signal: { verdict } }: AdviceSource) => verdict.winProbability, {
    description:
      'Blended probability of the side to trade, or of Yes if no trade is advised; for a fact, less the doubt about the count',
  }),
  win_probability_low: six(({ signal: { verdict } }: AdviceSource) => verdict.winProbabilityLow, {
    description: 'Lower bound on which the decision is based',
  }),
  abstain_reason: [
    Type.Union([Type.String(), Type.Null()], { description: 'Why there is no advice; null otherwise' }),
    ({ signal: { verdict } }) => verdict.abstainReason,
  ],
  act_at_side: [
    Type.Union([Type.Enum(['Yes', 'No']), Type.Null()]),
    ({ signal: { verdict } }) => verdict.actAt?.side ?? null,
  ],
  act_at_price: [
    { ...MaybeNumber, description: 'Book price at or below which act_at_side becomes a buy' },
    ({ signal: { verdict } }) => verdict.actAt?.price ?? null,
  ],
  since_ts: [Ts, ({ signal: { verdict } }) => verdict.sinceTs],
  valid_while: [
    ConditionRecord.schema,
    ({ signal: { verdict } }) => ConditionRecord.present(verdict.validWhile),
  ],
  changed_because: [
    Type.Union([Type.String(), Type.Null()], { description: 'What changed at since_ts' }),
    ({ signal: { verdict } }) => verdict.changedBecause,
  ],
  sentence: [Type.String(), ({ signal: { verdict } }) => verdict.sentence],
  reasons: [Type.Array(Type.String()), ({ signal: { verdict } }) => [...verdict.reasons]],
});

export const AdviceRecord = recordOf<AdviceSource>('Advice')(adviceRows);

function findTradedToken({ verdict, tokenId, noTokenId }: AdviceSource['signal']): string | null {
  if (verdict.kind === 'nothing') return null;
  return verdict.kind === 'buy-no' ? noTokenId : tokenId;
}
