// What to trade now, ranked across all accounts and events; if there is nothing, the nearest miss and the
// largest disagreement between model and market.

import { envelope, MaybeNumber } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import {
  type AccountAdvice,
  findLargestDisagreement,
  findNearestMiss,
  type LargestDisagreement,
  type Opportunity,
  rankOpportunities,
} from '../../trade/advice/opportunities.ts';
import type { ActAt, BucketSignal } from '../../trade/types.ts';
import type { ApiSettings, RouteContext } from '../context.ts';
import { createPreparedViews } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { adviceRows, BankrollParameter } from '../records/advice.ts';
import {
  deltaRows,
  type EventSource,
  eventRows,
  feedRows,
  findState,
  linkToMarket,
  nextBoundaryTs,
} from '../records/events.ts';
import { maybeSix, recordOf, rowsOf, six } from '../records/record.ts';

const OpportunitiesQuery = Type.Object({
  bankroll: Type.Optional(BankrollParameter),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});

interface AccountEvent extends EventSource {
  segment: string;
}

interface BucketSource extends AccountEvent {
  secondsRemaining: number;
  signal: BucketSignal;
  settings: Pick<ApiSettings, 'marketPageUrl'>;
}

const placeRows = rowsOf<AccountEvent>()({
  account: [Type.String(), ({ segment }) => segment],
  ...eventRows,
});

const bucketRows = rowsOf<BucketSource>()({
  ...placeRows,
  bucket: [Type.String(), ({ signal }) => signal.bucketLabel],
  seconds_remaining: [Type.Integer(), ({ secondsRemaining }) => secondsRemaining],
  market_price: [Type.Number(), ({ signal }) => signal.marketPrice],
  model_prob: six(({ signal }: BucketSource) => signal.modelProbability),
  belief_prob: six(({ signal }: BucketSource) => signal.blendedProbability),
  market_url: [
    Type.Union([Type.String(), Type.Null()]),
    ({ settings, state }) => linkToMarket(settings, state.event),
  ],
});

const OpportunityRecord = recordOf<BucketSource>('Opportunity')({
  ...bucketRows,
  ...adviceRows,
  settlement_delta: deltaRows.settlement_delta,
  settlement_risk: maybeSix(({ state }: BucketSource) => state.forecast?.settlementRisk, {
    description: 'Probability that the venue pays out a bucket other than the one with the final count',
  }),
  ...feedRows,
});

interface MissSource extends BucketSource {
  actAt: ActAt;
}

const NearestMissRecord = recordOf<MissSource>('NearestMiss')({
  ...bucketRows,
  cost_per_share: six(({ actAt }: MissSource) => actAt.costPerShare),
  worth_at_cost: six(({ actAt }: MissSource) => actAt.worthAtCost, {
    description: 'Worth buying at or below this cost',
  }),
  act_at_side: [Type.Enum(['Yes', 'No']), ({ actAt }) => actAt.side],
  act_at_price: [
    Type.Number({ description: 'Book price at or below which act_at_side becomes a buy' }),
    ({ actAt }) => actAt.price,
  ],
  abstain_reason: [Type.Union([Type.String(), Type.Null()]), ({ signal }) => signal.verdict.abstainReason],
});

interface DisagreementSource extends BucketSource {
  found: LargestDisagreement;
}

const DisagreementRecord = recordOf<DisagreementSource>('LargestDisagreement')({
  ...bucketRows,
  side: [Type.Enum(['Yes', 'No']), ({ found }) => found.disagreement.side],
  side_model_prob: six(({ found }: DisagreementSource) => found.disagreement.model, {
    description: "The model's own probability of the side",
  }),
  ask: [Type.Number(), ({ found }) => found.disagreement.ask],
  cost_per_share: six(({ found }: DisagreementSource) => found.disagreement.costPerShare, {
    description: 'Ask plus fee',
  }),
  act_at_price: [
    {
      ...MaybeNumber,
      description: 'Book price at or below which the side becomes a buy; null if none would',
    },
    ({ found }) => found.disagreement.actAtPrice,
  ],
  abstain_reason: [Type.Union([Type.String(), Type.Null()]), ({ signal }) => signal.verdict.abstainReason],
  sentence: [
    Type.String({ description: 'Both values in cents, why it is not advised, and what would change that' }),
    ({ found }) => found.sentence,
  ],
});

const BlindRecord = recordOf<AccountEvent & { reason: string }>()({
  ...placeRows,
  buckets: [Type.Array(Type.String()), ({ state }) => state.event.buckets.map(({ label }) => label)],
  reason: [Type.String(), ({ reason }) => reason],
});

const OpportunitiesAnswer = envelope('OpportunitiesAnswer', OpportunityRecord.schema, {
  bankroll: Type.Number(),
  total: Type.Integer({ description: 'Current trades, including those over the limit' }),
  nearest: Type.Union([NearestMissRecord.schema, Type.Null()]),
  disagreement: Type.Union([DisagreementRecord.schema, Type.Null()], {
    description: 'Largest disagreement between model and market that could be traded and is not advised',
  }),
  blind: Type.Array(BlindRecord.schema, { description: 'Events without advice, and why' }),
  halts: Type.Array(Type.Object({ account: Type.String(), reason: Type.String() }), {
    description: 'Accounts with halted model advice, and why',
  }),
});

type Context = Pick<RouteContext, 'accounts' | 'board' | 'settings'>;

function presentOpportunities(
  context: Context,
  advice: readonly AccountAdvice[],
  { bankrollUsd, limit, nowTs }: { bankrollUsd: number; limit: number; nowTs: number },
) {
  const ranked = rankOpportunities(advice);
  const nearest = findNearestMiss(advice);
  const found = findLargestDisagreement(advice);
  return {
    timestamp: nowTs,
    bankroll: bankrollUsd,
    data: ranked.slice(0, limit).map((one) => OpportunityRecord.present(findBucket(context, one, nowTs))),
    total: ranked.length,
    nearest:
      nearest && NearestMissRecord.present({ ...findBucket(context, nearest, nowTs), actAt: nearest.actAt }),
    disagreement: found && DisagreementRecord.present({ ...findBucket(context, found, nowTs), found }),
    // Explains missing advice; otherwise an empty list would look like "no trades" for these events.
    blind: advice.flatMap(({ accountId, events }) =>
      events.flatMap(({ eventId, blindness: reason }) =>
        reason === null
          ? []
          : [BlindRecord.present({ ...findPlace(context, accountId, eventId, nowTs), reason })],
      ),
    ),
    halts: context.accounts.flatMap(({ accountId, segment }) => {
      const reason = context.board.find(accountId)?.evidence?.halt ?? null;
      return reason === null ? [] : [{ account: segment, reason }];
    }),
  };
}

function findBucket(
  context: Context,
  { accountId, event, signal }: Opportunity,
  nowTs: number,
): BucketSource {
  const place = findPlace(context, accountId, event.eventId, nowTs);
  return { ...place, secondsRemaining: event.secondsRemaining, signal, settings: context.settings };
}

function findPlace(
  { accounts, board }: Context,
  accountId: string,
  eventId: number,
  nowTs: number,
): AccountEvent {
  const { segment } = accounts.find((account) => account.accountId === accountId)!;
  const snapshot = board.find(accountId)!;
  return { segment, snapshot, state: findState(snapshot, eventId), nowTs };
}

export function opportunitiesRoutes(context: RouteContext): Route[] {
  const views = createPreparedViews<ReturnType<typeof presentOpportunities>>();
  return [
    defineRoute({
      path: `${API_PREFIX}/signals`,
      access: 'PRO',
      isPayable: true,
      query: OpportunitiesQuery,
      document: {
        operationId: 'getOpportunities',
        tag: 'Signals',
        summary: 'What to trade now, across all accounts and events',
        description:
          'All current trades, best first: side, limit, stake, depth, time left, reasons. If there are none, `nearest` has the closest bucket and the cost at which it would be worth buying, and `disagreement` the largest gap between model and market, and why it is not advised.',
        ok: OpportunitiesAnswer,
      },
      handle({ query, nowTs }) {
        const bankrollUsd = query.bankroll ?? context.settings.defaultBankrollUsd;
        const snapshots = context.accounts.map(({ accountId }) => context.board.find(accountId));
        const version = [...snapshots, ...snapshots.map((snapshot) => nextBoundaryTs(snapshot, nowTs))];
        return views.get(`${bankrollUsd} ${query.limit}`, version, nowTs, () => {
          const advice = context.accounts.map((account, i) => ({
            accountId: account.accountId,
            events: context.adviserOf(account).advise(snapshots[i], bankrollUsd, nowTs),
          }));
          return presentOpportunities(context, advice, { bankrollUsd, limit: query.limit!, nowTs });
        });
      },
    }),
  ];
}
