// Signals for every active event, sized for one bankroll, with each strategy's track record.

import type { AccountSnapshot } from '../../state/snapshot.ts';
import type {
  BucketSignal,
  EventSignals,
  RealisedRecord,
  StrategyEntry,
  StrategyName,
} from '../../trade/types.ts';
import { linkToMarketOf, presentFeedsOf, presentTermsOf } from '../records/events.ts';
import { round2, round6 } from '../records/record.ts';
import { presentVerdict } from './verdict.ts';

export type RealisedRecords = Readonly<Partial<Record<StrategyName, RealisedRecord>>>;

const NO_RECORD: RealisedRecord = { winRate: null, sampleSize: 0 };

export function presentSignals(
  snapshot: AccountSnapshot | undefined,
  events: readonly EventSignals[],
  onlyWithSignals: boolean,
  records: RealisedRecords,
  settings: { marketPageUrl?: string | null },
  nowTs: number,
) {
  const listed = onlyWithSignals ? events.filter(isActionable) : events;
  return {
    timestamp: nowTs,
    data: listed.map((event) => ({
      event_id: event.eventId,
      event_title: event.title,
      ...presentTermsOf(snapshot, event.eventId),
      market_url: linkToMarketOf(settings, snapshot, event.eventId),
      feeds: presentFeedsOf(snapshot, event.eventId, nowTs),
      signals: event.signals.map(presentSignal),
      strategies: {
        buy: event.buy.map((entry) => presentStrategy(entry, records)),
        sell: event.sell.map((entry) => presentStrategy(entry, records)),
      },
    })),
  };
}

function isActionable(event: EventSignals): boolean {
  return event.signals.some(({ action }) => action === 'BUY' || action === 'SELL');
}

function presentSignal(signal: BucketSignal) {
  return {
    bucket: signal.bucketLabel,
    token_id: signal.tokenId,
    action: signal.action,
    model_prob: round6(signal.modelProbability),
    market_price: signal.marketPrice,
    edge: round6(round6(signal.modelProbability) - signal.marketPrice),
    ev: round6(signal.ev),
    kelly_fraction: round6(signal.kellyFraction),
    suggested_bet: round2(signal.suggestedBetUsd),
    confidence: signal.confidence,
    moneyness: round6(signal.moneyness),
    time_confidence: signal.timeConfidence,
    asymmetry_edge: signal.asymmetryEdge,
    reasons: signal.reasons,
    bankroll: signal.bankrollUsd,
    cost_per_share: signal.costPerShare === null ? null : round6(signal.costPerShare),
    fee_per_share: signal.feePerShare === null ? null : round6(signal.feePerShare),
    suggested_shares: round2(signal.suggestedShares),
    belief_prob: round6(signal.blendedProbability),
    belief_ev: round6(signal.blendedEv),
    advice: presentVerdict(signal.verdict, { yesTokenId: signal.tokenId, noTokenId: signal.noTokenId }),
  };
}

function presentStrategy(entry: StrategyEntry, records: RealisedRecords) {
  const record = records[entry.strategy] ?? NO_RECORD;
  return {
    strategy: entry.strategy,
    buckets: entry.buckets,
    stake_fraction: round6(entry.stakeFraction),
    suggested_bet: round2(entry.suggestedBetUsd),
    win_probability: round6(entry.winProbability),
    realised_win_rate: record.winRate === null ? null : round6(record.winRate),
    sample_size: record.sampleSize,
  };
}
