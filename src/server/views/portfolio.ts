// A wallet's open positions compared with the model: one element per active event.

import { computeSecondsRemaining, type MarketEvent } from '../../domain/market-event.ts';
import type { UnreadPosition } from '../../domain/position.ts';
import { boundCount } from '../../state/count-bounds.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type {
  BucketSignal,
  EventPortfolio,
  PortfolioTotals,
  RebalancingPosition,
  ValuedPosition,
} from '../../trade/types.ts';
import { presentFeeds, presentFeedsOf, presentTerms } from '../records/events.ts';
import { round2, round6 } from '../records/record.ts';
import { presentVerdict } from './verdict.ts';

const NO_TOTALS: PortfolioTotals = {
  totalPositions: 0,
  totalCostUsd: 0,
  currentValueUsd: 0,
  totalPnlUsd: 0,
  totalPnlPercent: 0,
};

export function presentPortfolio(
  wallet: string,
  snapshot: AccountSnapshot | undefined,
  active: readonly EventState[],
  portfolios: readonly EventPortfolio[],
  unread: readonly UnreadPosition[],
  signalFor: (position: ValuedPosition) => BucketSignal | null,
  linkTo: (event: MarketEvent) => string | null,
  nowTs: number,
) {
  if (active.length === 0) return { timestamp: nowTs, data: [presentIdle(wallet)] };
  const data = active.map((state) => {
    const own = portfolios.find((portfolio) => portfolio.eventId === state.event.eventId);
    const missing = unread.filter(({ tokenId }) => mayBeOf(state, tokenId));
    return {
      wallet,
      event: { ...presentEvent(state.event, linkTo(state.event)), ...presentTerms(snapshot, state.event) },
      prediction: presentOutlook(snapshot!, state, nowTs),
      positions: (own?.positions ?? []).map((position) => ({
        ...presentPosition(position),
        ...presentAdvice(signalFor(position)),
      })),
      portfolio: presentTotals(own?.totals ?? NO_TOTALS),
      feeds: presentFeeds(snapshot!, state, nowTs),
      ...(state.forecast === null && {
        message: 'There is no forecast for this event yet, so its positions are not analysed.',
      }),
      ...(missing.length > 0 && presentMissing(missing)),
    };
  });
  return { timestamp: nowTs, data };
}

/** Whether a holding of this token may belong to the event; an unreadable token may belong to any event. */
export function mayBeOf({ event }: EventState, tokenId: string | null): boolean {
  if (tokenId === null) return true;
  return event.buckets.some(({ yesTokenId, noTokenId }) => tokenId === yesTokenId || tokenId === noTokenId);
}

function presentMissing(missing: readonly UnreadPosition[]) {
  return {
    unread_positions: missing.map(({ tokenId, reason }) => ({ token_id: tokenId, reason })),
    message: `${missing.length} position(s) of this wallet could not be read. Totals cover the others, and no sizes are suggested.`,
  };
}

function presentEvent({ eventId, title, window }: MarketEvent, marketUrl: string | null) {
  return {
    id: eventId,
    title,
    end_ts: window.endTs,
    ...(marketUrl !== null && { market_url: marketUrl }),
  };
}

function presentIdle(wallet: string) {
  return {
    wallet,
    event: null,
    prediction: null,
    positions: [],
    portfolio: presentTotals(NO_TOTALS),
    message: 'No active event of this account is running, so there are no positions to analyse.',
  };
}

function presentOutlook(snapshot: AccountSnapshot, state: EventState, nowTs: number) {
  const { forecast } = state;
  const bounds = boundCount(state, snapshot.isPastMissing);
  return {
    p5: forecast?.p5 ?? null,
    p50: forecast?.p50 ?? null,
    p95: forecast?.p95 ?? null,
    real_counter: state.counters.real,
    ...(bounds && { real_counter_low: bounds.low, real_counter_high: bounds.high }),
    seconds_remaining: computeSecondsRemaining(state.event.window.endTs, nowTs),
    velocity_counted_1h: snapshot.activity && round6(snapshot.activity.velocityCounted1h),
  };
}

function presentAdvice(signal: BucketSignal | null) {
  if (!signal) return {};
  const { tokenId: yesTokenId, noTokenId, verdict } = signal;
  return { advice: presentVerdict(verdict, { yesTokenId, noTokenId }) };
}

function presentPosition(position: ValuedPosition) {
  const { sizing } = position;
  return {
    event_id: String(position.eventId),
    bucket: position.bucketLabel,
    outcome: position.side,
    token_id: position.tokenId,
    tokens: round6(position.shares),
    avg_price: round6(position.avgPrice),
    cost_basis: round6(position.costUsd),
    current_price: round6(position.currentPrice),
    current_value: round6(position.currentValueUsd),
    pnl: round6(position.pnlUsd),
    pnl_percent: round6(position.pnlPercent),
    analysis: {
      win_probability: round6(position.winProbability),
      market_implied: round6(position.marketImplied),
      edge: round6(position.edge),
      edge_percent: round6(position.edgePercent),
      signal: position.signal,
      recommendation: position.recommendation,
    },
    ...(sizing && {
      sizing: {
        target_value: round2(sizing.targetValueUsd),
        adjustment: round2(sizing.adjustmentUsd),
        kelly_fraction: round6(sizing.kellyFraction),
        action: sizing.action,
      },
    }),
  };
}

function presentTotals(totals: PortfolioTotals) {
  return {
    total_positions: totals.totalPositions,
    total_cost: round6(totals.totalCostUsd),
    current_value: round6(totals.currentValueUsd),
    total_pnl: round6(totals.totalPnlUsd),
    total_pnl_percent: round6(totals.totalPnlPercent),
  };
}

export function presentRebalancing(
  snapshot: AccountSnapshot | undefined,
  active: readonly EventState[],
  adjustments: readonly { eventId: number; positions: readonly RebalancingPosition[] }[],
  request: { bankroll: number; threshold: number },
  nowTs: number,
) {
  const data = active.flatMap(({ event }) => {
    const own = adjustments.find(({ eventId }) => eventId === event.eventId)?.positions ?? [];
    if (own.length === 0) return [];
    return [
      {
        event_id: event.eventId,
        event_title: event.title,
        ...presentTerms(snapshot, event),
        bankroll: request.bankroll,
        threshold: request.threshold,
        feeds: presentFeedsOf(snapshot, event.eventId, nowTs),
        positions: own.map(presentAdjustment),
      },
    ];
  });
  return { timestamp: nowTs, data };
}

function presentAdjustment(position: RebalancingPosition) {
  return {
    bucket: position.bucketLabel,
    outcome: position.side,
    token_id: position.tokenId,
    action: position.action,
    current_value: round2(position.currentValueUsd),
    target_value: round2(position.targetValueUsd),
    adjustment: round2(position.adjustmentUsd),
    adjustment_shares: round2(position.adjustmentShares),
    current_price: round6(position.currentPrice),
    win_probability: round6(position.winProbability),
    edge: round6(position.edge),
    reasons: position.reasons,
  };
}
