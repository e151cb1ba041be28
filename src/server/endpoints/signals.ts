// Endpoints 8 and 9: signals for every active event, sized for a bankroll, with each strategy's track record.

import { envelope, MaybeNumber } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import { findLargestDisagreement } from '../../trade/advice/opportunities.ts';
import type { BucketSignal, EventSignals, RealisedRecord, StrategyEntry } from '../../trade/types.ts';
import type { ApiSettings, RealisedRecords, RouteContext } from '../context.ts';
import { createPreparedViews } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { AdviceRecord, BankrollParameter } from '../records/advice.ts';
import {
  type EventSource,
  eventRows,
  feedRows,
  findState,
  linkToMarket,
  nextBoundaryTs,
} from '../records/events.ts';
import { cents, maybeSix, recordOf, round6, six } from '../records/record.ts';

export const SignalsQuery = Type.Object({
  bankroll: Type.Optional(BankrollParameter),
  only_with_signals: Type.Optional(Type.Boolean({ default: false })),
});

const NO_RECORD: RealisedRecord = { winRate: null, sampleSize: 0 };

const Confidence = Type.Enum(['HIGH', 'MEDIUM', 'LOW']);

const SignalRecord = recordOf<BucketSignal>('Signal')({
  bucket: [Type.String(), ({ bucketLabel }) => bucketLabel],
  token_id: [Type.String(), ({ tokenId }) => tokenId],
  action: [Type.Enum(['BUY', 'SELL', 'HOLD', 'SKIP']), ({ action }) => action],
  model_prob: six(({ modelProbability }: BucketSignal) => modelProbability),
  market_price: [Type.Number(), ({ marketPrice }) => marketPrice],
  edge: six(({ modelProbability, marketPrice }: BucketSignal) => round6(modelProbability) - marketPrice),
  ev: six(({ ev }: BucketSignal) => ev),
  kelly_fraction: six(({ kellyFraction }: BucketSignal) => kellyFraction),
  suggested_bet: cents(({ suggestedBetUsd }: BucketSignal) => suggestedBetUsd),
  confidence: [Confidence, ({ confidence }) => confidence],
  moneyness: six(({ moneyness }: BucketSignal) => moneyness),
  time_confidence: [Confidence, ({ timeConfidence }) => timeConfidence],
  asymmetry_edge: [MaybeNumber, ({ asymmetryEdge }) => asymmetryEdge],
  reasons: [Type.Array(Type.String()), ({ reasons }) => [...reasons]],
  bankroll: [Type.Number(), ({ bankrollUsd }) => bankrollUsd],
  cost_per_share: maybeSix(({ costPerShare }: BucketSignal) => costPerShare),
  fee_per_share: maybeSix(({ feePerShare }: BucketSignal) => feePerShare),
  suggested_shares: cents(({ suggestedShares }: BucketSignal) => suggestedShares),
  belief_prob: six(({ blendedProbability }: BucketSignal) => blendedProbability, {
    description: 'Blend of the model and market probabilities, used for sizing',
  }),
  belief_ev: six(({ blendedEv }: BucketSignal) => blendedEv),
  advice: [AdviceRecord.schema, (signal) => AdviceRecord.present({ signal })],
});

interface StrategySource {
  entry: StrategyEntry;
  record: RealisedRecord;
}

const StrategyRecord = recordOf<StrategySource>('Strategy')({
  strategy: [Type.Enum(['TWO_BUCKET', 'SINGLE_BUCKET', 'RISK_MANAGEMENT']), ({ entry }) => entry.strategy],
  buckets: [Type.Array(Type.String()), ({ entry }) => [...entry.buckets]],
  stake_fraction: six(({ entry }: StrategySource) => entry.stakeFraction),
  suggested_bet: cents(({ entry }: StrategySource) => entry.suggestedBetUsd),
  win_probability: six(({ entry }: StrategySource) => entry.winProbability),
  realised_win_rate: maybeSix(({ record }: StrategySource) => record.winRate),
  sample_size: [Type.Integer(), ({ record }) => record.sampleSize],
});

const Strategies = Type.Array(StrategyRecord.schema);

interface SignalsSource extends EventSource {
  advice: EventSignals;
  records: RealisedRecords;
  settings: Pick<ApiSettings, 'marketPageUrl'>;
}

const SignalsRecord = recordOf<SignalsSource>('SignalsRecord')({
  ...eventRows,
  market_url: [
    Type.Union([Type.String(), Type.Null()], { description: "The event's page on the market's site" }),
    ({ settings, state }) => linkToMarket(settings, state.event),
  ],
  ...feedRows,
  disagreement: [
    Type.Union([Type.String(), Type.Null()], {
      description:
        "The event's largest disagreement between model and market that could be traded and is not advised: both values in cents, why not, and what would change that",
    }),
    ({ advice, snapshot }) =>
      findLargestDisagreement([{ accountId: snapshot.accountId, events: [advice] }])?.sentence ?? null,
  ],
  signals: [Type.Array(SignalRecord.schema), ({ advice }) => advice.signals.map(SignalRecord.present)],
  strategies: [
    Type.Object({ buy: Strategies, sell: Strategies }),
    ({ advice: { buy, sell }, records }) => ({
      buy: presentStrategies(buy, records),
      sell: presentStrategies(sell, records),
    }),
  ],
});

function presentStrategies(entries: readonly StrategyEntry[], records: RealisedRecords) {
  return entries.map((entry) =>
    StrategyRecord.present({ entry, record: records[entry.strategy] ?? NO_RECORD }),
  );
}

function presentSignals(
  snapshot: AccountSnapshot | undefined,
  events: readonly EventSignals[],
  rest: Pick<SignalsSource, 'records' | 'settings' | 'nowTs'>,
) {
  const data = events.map((advice) => {
    const state = findState(snapshot!, advice.eventId);
    return SignalsRecord.present({ snapshot: snapshot!, state, advice, ...rest });
  });
  return { timestamp: rest.nowTs, data };
}

function isActionable({ signals }: EventSignals): boolean {
  return signals.some(({ action }) => action === 'BUY' || action === 'SELL');
}

export function signalsRoutes(context: RouteContext): Route[] {
  const { settings } = context;
  return context.accounts.map((account) => {
    const adviser = context.adviserOf(account);
    const views = createPreparedViews<ReturnType<typeof presentSignals>>();
    return defineRoute({
      path: `${API_PREFIX}/signals/${account.segment}`,
      access: 'PRO',
      isPayable: true,
      query: SignalsQuery,
      document: {
        operationId: `getSignals_${account.segment}`,
        tag: 'Signals',
        summary: `Trading signals for ${account.segment}`,
        description:
          'Every open bucket, best edge first, with a stake based on the optimal-growth fraction of the bankroll. Stale feeds get no advice. Model estimates, not guaranteed profit.',
        ok: envelope('SignalsAnswer', SignalsRecord.schema),
      },
      handle({ query, nowTs }) {
        const bankrollUsd = query.bankroll ?? settings.defaultBankrollUsd;
        const snapshot = context.board.find(account.accountId);
        const records = context.realisedRecords(account.accountId);
        const isFiltered = query.only_with_signals!;
        const version = [snapshot, records, nextBoundaryTs(snapshot, nowTs)];
        return views.get(`${bankrollUsd} ${isFiltered}`, version, nowTs, () => {
          const events = adviser.advise(snapshot, bankrollUsd, nowTs);
          const listed = isFiltered ? events.filter(isActionable) : events;
          return presentSignals(snapshot, listed, { records, settings, nowTs });
        });
      },
    });
  });
}
