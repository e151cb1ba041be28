// Every bucket of an event with its book, cost and target.

import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { LadderRow } from '../../trade/advice/ladder.ts';
import { presentFeedsOf, presentTermsOf } from '../records/events.ts';
import { round2, round6 } from '../records/record.ts';
import { presentVerdict } from './verdict.ts';

export function presentLadders(
  snapshot: AccountSnapshot | undefined,
  ladders: readonly { eventId: number; title: string; rows: readonly LadderRow[] }[],
  bankrollUsd: number,
  nowTs: number,
) {
  return {
    timestamp: nowTs,
    data: ladders.map((ladder) => ({
      event_id: ladder.eventId,
      event_title: ladder.title,
      ...presentTermsOf(snapshot, ladder.eventId),
      bankroll: bankrollUsd,
      feeds: presentFeedsOf(snapshot, ladder.eventId, nowTs),
      rows: ladder.rows.map(presentRow),
    })),
  };
}

function presentRow(row: LadderRow) {
  return {
    bucket: row.bucketLabel,
    low: row.lo,
    high: row.hi,
    token_id: row.tokenId,
    model_prob: round6(row.modelProbability),
    market_price: row.marketPrice,
    bid: row.bid,
    ask: row.ask,
    bid_shares: row.bidShares,
    ask_shares: row.askShares,
    fee_per_share: maybe6(row.feePerShare),
    cost_per_share: maybe6(row.costPerShare),
    edge: maybe6(row.edge),
    edge_percent: maybe6(row.edgePercent),
    ev: round6(row.ev),
    kelly_fraction: round6(row.kellyFraction),
    target_shares: round2(row.targetShares),
    target_value: round2(row.targetUsd),
    action: row.action,
    belief_prob: round6(row.blendedProbability),
    advice: presentVerdict(row.verdict, { yesTokenId: row.tokenId, noTokenId: row.noTokenId }),
    reasons: row.reasons,
  };
}

function maybe6(value: number | null): number | null {
  return value === null ? null : round6(value);
}
