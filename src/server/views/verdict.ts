// The verdict on a bucket, as shown in every response.

import type { Verdict, VerdictKind } from '../../trade/types.ts';
import { round2, round6 } from '../records/record.ts';

const WORDS = {
  'buy-yes': 'BUY_YES',
  'buy-no': 'BUY_NO',
  exit: 'EXIT',
  nothing: 'NOTHING',
} as const satisfies Record<VerdictKind, string>;

export function presentVerdict(verdict: Verdict, tokens: { yesTokenId: string; noTokenId: string }) {
  const { kind } = verdict;
  const sideToken = kind === 'buy-no' ? tokens.noTokenId : tokens.yesTokenId;
  return {
    verdict: WORDS[kind],
    token_id: kind === 'nothing' ? null : sideToken,
    limit_price: verdict.limitPrice,
    cost_per_share: verdict.costPerShare === null ? null : round6(verdict.costPerShare),
    depth_shares: verdict.depthShares,
    shares: round2(verdict.shares),
    stake: round2(verdict.stakeUsd),
    gain_per_usd: round6(verdict.gainPerUsd),
    expected_gain: round6(verdict.expectedGainUsd),
    edge_kind: verdict.edgeKind,
    fillable_usd: verdict.fillableUsd,
    win_probability: round6(verdict.winProbability),
    win_probability_low: round6(verdict.winProbabilityLow),
    abstain_reason: verdict.abstainReason,
    act_at_side: verdict.actAt?.side ?? null,
    act_at_price: verdict.actAt?.price ?? null,
    since_ts: verdict.sinceTs,
    valid_while: {
      price_limit: verdict.validWhile.priceLimit,
      count_from: verdict.validWhile.countFrom,
      count_to: verdict.validWhile.countTo,
    },
    changed_because: verdict.changedBecause,
    sentence: verdict.sentence,
    reasons: verdict.reasons,
  };
}
