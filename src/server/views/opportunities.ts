// Lists all recommended trades; if there are none, the nearest miss.

import type { Account } from '../../domain/account.ts';
import { computeDeltas } from '../../domain/market-event.ts';
import type { BoardReader } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { AccountAdvice, NearMiss, Opportunity } from '../../trade/advice/opportunities.ts';
import type { EventSignals } from '../../trade/types.ts';
import { linkToMarketOf, presentFeedsOf, presentTermsOf } from '../records/events.ts';
import { round6 } from '../records/record.ts';
import { presentVerdict } from './verdict.ts';

interface Context {
  readonly accounts: readonly Account[];
  readonly board: BoardReader;
  readonly settings: Parameters<typeof linkToMarketOf>[0];
}

export function presentOpportunities(
  context: Context,
  ranked: readonly Opportunity[],
  nearest: NearMiss | null,
  advice: readonly AccountAdvice[],
  bankrollUsd: number,
  nowTs: number,
) {
  return {
    timestamp: nowTs,
    bankroll: bankrollUsd,
    data: ranked.map((opportunity) => ({
      ...presentPlace(context, opportunity),
      ...presentVerdict(opportunity.signal.verdict, {
        yesTokenId: opportunity.signal.tokenId,
        noTokenId: opportunity.signal.noTokenId,
      }),
      ...presentDoubts(find(context, opportunity), opportunity.event.eventId),
      feeds: presentFeedsOf(find(context, opportunity), opportunity.event.eventId, nowTs),
    })),
    nearest: nearest && {
      ...presentPlace(context, nearest),
      cost_per_share: round6(nearest.actAt.costPerShare),
      worth_at_cost: round6(nearest.actAt.worthAtCost),
      act_at_side: nearest.actAt.side,
      act_at_price: nearest.actAt.price,
      abstain_reason: nearest.signal.verdict.abstainReason,
    },
    // Explains missing advice; otherwise an empty list would look like "no trades" for these events.
    blind: advice.flatMap(({ accountId, events }) =>
      events.flatMap((event) =>
        event.blindness === null ? [] : [presentBlind(context, accountId, event, event.blindness)],
      ),
    ),
    halts: context.accounts.flatMap(({ accountId, segment }) => {
      const reason = context.board.find(accountId)?.evidence?.halt ?? null;
      return reason === null ? [] : [{ account: segment, reason }];
    }),
  };
}

function presentBlind(context: Context, accountId: string, event: EventSignals, reason: string) {
  const snapshot = find(context, { accountId });
  const state = snapshot?.events.find((candidate) => candidate.event.eventId === event.eventId);
  return {
    account: segmentOf(context, accountId),
    event_id: event.eventId,
    event_title: event.title,
    ...presentTermsOf(snapshot, event.eventId),
    buckets: state?.event.buckets.map(({ label }) => label) ?? [],
    reason,
  };
}

/** The difference between the counts, and the risk that the venue settles on another bucket. */
function presentDoubts(snapshot: AccountSnapshot | undefined, eventId: number) {
  const state = snapshot?.events.find(({ event }) => event.eventId === eventId);
  const risk = state?.forecast?.settlementRisk;
  return {
    settlement_delta: state ? computeDeltas(state.counters).settlement : null,
    settlement_risk: risk === undefined ? null : round6(risk),
  };
}

function presentPlace(context: Context, { accountId, event, signal }: Opportunity) {
  return {
    account: segmentOf(context, accountId),
    event_id: event.eventId,
    event_title: event.title,
    ...presentTermsOf(find(context, { accountId }), event.eventId),
    bucket: signal.bucketLabel,
    seconds_remaining: event.secondsRemaining,
    market_price: signal.marketPrice,
    model_prob: round6(signal.modelProbability),
    belief_prob: round6(signal.blendedProbability),
    market_url: linkToMarketOf(context.settings, find(context, { accountId }), event.eventId),
  };
}

function find(context: Context, { accountId }: { accountId: string }): AccountSnapshot | undefined {
  return context.board.find(accountId);
}

function segmentOf(context: Context, accountId: string): string {
  return context.accounts.find((account) => account.accountId === accountId)?.segment ?? accountId;
}
