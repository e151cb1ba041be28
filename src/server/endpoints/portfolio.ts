// Endpoints 10 and 11: a wallet's open positions compared with the model, one element per active event.

import { envelope, Feeds, MaybeNumber, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { computeSecondsRemaining } from '../../domain/market-event.ts';
import type { UnreadPosition } from '../../domain/position.ts';
import { createHolderSignals, valuePortfolio } from '../../trade/positions/portfolio.ts';
import type {
  BucketSignal,
  EventPortfolio,
  PortfolioTotals,
  PositionSizing,
  ValuedPosition,
} from '../../trade/types.ts';
import type { ApiSettings, RouteContext } from '../context.ts';
import { createPreparedViews } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { AdviceRecord, BankrollParameter } from '../records/advice.ts';
import { boundRows, type EventSource, linkToMarket, presentFeeds, termRows } from '../records/events.ts';
import { cents, maybeSix, recordOf, round6, six } from '../records/record.ts';
import { rebalancingRoute } from './rebalancing.ts';
import {
  answerOnce,
  checkWallet,
  createPositionFetcher,
  createWalletView,
  type FetchPositions,
  mayBeOf,
  Wallet,
  type WalletResult,
} from './wallet-results.ts';

const PortfolioQuery = Type.Object({ wallet: Wallet, bankroll: Type.Optional(BankrollParameter) });
const UnsizedPortfolioQuery = Type.Object({ wallet: Wallet });

const NO_TOTALS: PortfolioTotals = {
  totalPositions: 0,
  totalCostUsd: 0,
  currentValueUsd: 0,
  totalPnlUsd: 0,
  totalPnlPercent: 0,
};

const AnalysisRecord = recordOf<ValuedPosition>()({
  win_probability: six(({ winProbability }: ValuedPosition) => winProbability),
  market_implied: six(({ marketImplied }: ValuedPosition) => marketImplied),
  edge: six(({ edge }: ValuedPosition) => edge),
  edge_percent: six(({ edgePercent }: ValuedPosition) => edgePercent),
  signal: [Type.Enum(['STRONG_BUY', 'BUY', 'HOLD', 'AVOID', 'SELL']), ({ signal }) => signal],
  recommendation: [
    Type.Enum(['STRONG_HOLD', 'HOLD', 'MONITOR', 'CONSIDER_SELLING']),
    ({ recommendation }) => recommendation,
  ],
});

const SizingRecord = recordOf<PositionSizing>()({
  target_value: cents(({ targetValueUsd }: PositionSizing) => targetValueUsd),
  adjustment: cents(({ adjustmentUsd }: PositionSizing) => adjustmentUsd),
  kelly_fraction: six(({ kellyFraction }: PositionSizing) => kellyFraction),
  action: [Type.Enum(['ADD_MORE', 'TRIM', 'HOLD']), ({ action }) => action],
});

interface PositionSource {
  position: ValuedPosition;
  advised: BucketSignal | null;
}

const PositionRecord = recordOf<PositionSource>('Position')({
  event_id: [Type.String(), ({ position }) => String(position.eventId)],
  bucket: [Type.String(), ({ position }) => position.bucketLabel],
  outcome: [Type.Enum(['Yes', 'No']), ({ position }) => position.side],
  token_id: [Type.String(), ({ position }) => position.tokenId],
  tokens: six(({ position }: PositionSource) => position.shares),
  avg_price: six(({ position }: PositionSource) => position.avgPrice),
  cost_basis: six(({ position }: PositionSource) => position.costUsd),
  current_price: six(({ position }: PositionSource) => position.currentPrice),
  current_value: six(({ position }: PositionSource) => position.currentValueUsd),
  pnl: six(({ position }: PositionSource) => position.pnlUsd),
  pnl_percent: six(({ position }: PositionSource) => position.pnlPercent),
  analysis: [AnalysisRecord.schema, ({ position }) => AnalysisRecord.present(position)],
  belief_prob: [
    Type.Optional(
      Type.Number({ description: 'Blended probability that these shares win; absent without a forecast' }),
    ),
    ({ position: { side }, advised }) =>
      advised
        ? round6(side === 'Yes' ? advised.blendedProbability : 1 - advised.blendedProbability)
        : undefined,
  ],
  sizing: [
    Type.Optional(SizingRecord.schema),
    ({ position: { sizing } }) => sizing && SizingRecord.present(sizing),
  ],
  advice: [
    Type.Optional(AdviceRecord.schema),
    ({ advised }) => (advised ? AdviceRecord.present({ signal: advised }) : undefined),
  ],
});

interface HeldEvent extends EventSource {
  settings: Pick<ApiSettings, 'marketPageUrl'>;
}

const HeldEventRecord = recordOf<HeldEvent>()({
  id: [Type.Integer(), ({ state }) => state.event.eventId],
  title: [Type.String(), ({ state }) => state.event.title],
  end_ts: [Ts, ({ state }) => state.event.window.endTs],
  market_url: [
    Type.Optional(Type.String({ description: 'Market page; absent unless configured' })),
    ({ settings, state }) => linkToMarket(settings, state.event) ?? undefined,
  ],
  ...termRows,
});

const OutlookRecord = recordOf<EventSource>()({
  p5: [MaybeNumber, ({ state }) => state.forecast?.p5 ?? null],
  p50: [MaybeNumber, ({ state }) => state.forecast?.p50 ?? null],
  p95: [MaybeNumber, ({ state }) => state.forecast?.p95 ?? null],
  real_counter: [MaybeNumber, ({ state }) => state.counters.real],
  ...boundRows,
  seconds_remaining: [
    Type.Integer(),
    ({ state, nowTs }) => computeSecondsRemaining(state.event.window.endTs, nowTs),
  ],
  velocity_counted_1h: maybeSix(({ snapshot }: EventSource) => snapshot.activity?.velocityCounted1h),
});

const TotalsRecord = recordOf<PortfolioTotals>()({
  total_positions: [Type.Integer(), ({ totalPositions }) => totalPositions],
  total_cost: six(({ totalCostUsd }: PortfolioTotals) => totalCostUsd),
  current_value: six(({ currentValueUsd }: PortfolioTotals) => currentValueUsd),
  total_pnl: six(({ totalPnlUsd }: PortfolioTotals) => totalPnlUsd),
  total_pnl_percent: six(({ totalPnlPercent }: PortfolioTotals) => totalPnlPercent),
});

const UnreadRecord = recordOf<UnreadPosition>()({
  token_id: [Type.Union([Type.String(), Type.Null()]), ({ tokenId }) => tokenId],
  reason: [Type.String(), ({ reason }) => reason],
});

interface PortfolioSource {
  wallet: string;
  /** null if no event is active. */
  held: HeldEvent | null;
  positions: readonly PositionSource[];
  totals: PortfolioTotals;
  unread: readonly UnreadPosition[];
}

const PortfolioRecord = recordOf<PortfolioSource>('PortfolioRecord')({
  wallet: [Type.String(), ({ wallet }) => wallet],
  event: [
    Type.Union([HeldEventRecord.schema, Type.Null()]),
    ({ held }) => held && HeldEventRecord.present(held),
  ],
  prediction: [
    Type.Union([OutlookRecord.schema, Type.Null()]),
    ({ held }) => held && OutlookRecord.present(held),
  ],
  positions: [Type.Array(PositionRecord.schema), ({ positions }) => positions.map(PositionRecord.present)],
  portfolio: [TotalsRecord.schema, ({ totals }) => TotalsRecord.present(totals)],
  feeds: [
    Type.Optional(Feeds),
    ({ held }) => (held ? presentFeeds(held.snapshot, held.state, held.nowTs) : undefined),
  ],
  unread_positions: [
    Type.Optional(
      Type.Array(UnreadRecord.schema, {
        description: 'Unreadable holdings that may belong to this event; absent if none',
      }),
    ),
    ({ unread }) => (unread.length > 0 ? unread.map(UnreadRecord.present) : undefined),
  ],
  message: [Type.Optional(Type.String()), describeGaps],
});

function describeGaps({ held, unread }: PortfolioSource): string | undefined {
  if (!held) return 'No active event of this account is running, so there are no positions to analyse.';
  if (unread.length > 0)
    return `${unread.length} position(s) of this wallet could not be read. Totals cover the others, and no sizes are suggested.`;
  if (held.state.forecast === null)
    return 'There is no forecast for this event yet, so its positions are not analysed.';
  return undefined;
}

function presentPortfolio(
  wallet: string,
  { snapshot, active, result, unread }: WalletResult<EventPortfolio>,
  signalFor: (position: ValuedPosition) => BucketSignal | null,
  settings: HeldEvent['settings'],
  nowTs: number,
) {
  const none = { wallet, held: null, positions: [], totals: NO_TOTALS, unread: [] };
  if (active.length === 0) return { timestamp: nowTs, data: [PortfolioRecord.present(none)] };
  const data = active.map((state) => {
    const own = result.find(({ eventId }) => eventId === state.event.eventId);
    return PortfolioRecord.present({
      wallet,
      held: { snapshot: snapshot!, state, settings, nowTs },
      positions: (own?.positions ?? []).map((position) => ({ position, advised: signalFor(position) })),
      totals: own?.totals ?? NO_TOTALS,
      unread: unread.filter(({ tokenId }) => mayBeOf(state, tokenId)),
    });
  });
  return { timestamp: nowTs, data };
}

export function portfolioRoutes(context: RouteContext): Route[] {
  const fetchPositions = createPositionFetcher(context);
  return context.accounts.flatMap((account) => {
    const portfolio = portfolioRoute(context, account, fetchPositions);
    return account.hasRebalancing
      ? [portfolio, rebalancingRoute(context, account, fetchPositions)]
      : [portfolio];
  });
}

function portfolioRoute(context: RouteContext, account: Account, fetchPositions: FetchPositions): Route {
  const { settings } = context;
  const views = createPreparedViews<ReturnType<typeof presentPortfolio>>();
  const view = createWalletView(
    context,
    account,
    fetchPositions,
    (priced, { positions, unread }, { bankroll }, adviseFor) => {
      // Each position's size depends on all holdings.
      const isSized = bankroll !== undefined && unread.length === 0;
      const advice = isSized ? { bankrollUsd: bankroll, signals: adviseFor(bankroll) } : null;
      return valuePortfolio(priced, positions, advice);
    },
  );
  return defineRoute({
    path: `${API_PREFIX}/portfolio/${account.segment}`,
    access: 'PRO',
    isPayable: true,
    // Without sizing, bankroll is ignored like any unknown parameter.
    query: (account.hasRebalancing ? PortfolioQuery : UnsizedPortfolioQuery) as typeof PortfolioQuery,
    document: {
      operationId: `getPortfolio_${account.segment}`,
      tag: 'Portfolio',
      summary: `A wallet's open positions in events of ${account.segment}`,
      ok: envelope('PortfolioAnswer', PortfolioRecord.schema),
      also: [400],
    },
    handle({ query, nowTs }) {
      checkWallet(query.wallet);
      const key = `${query.wallet} ${query.bankroll}`;
      return answerOnce(views, key, context.board.find(account.accountId), nowTs, async () => {
        const found = await view(query, nowTs);
        const { snapshot } = found;
        const bankrollUsd = query.bankroll ?? settings.defaultBankrollUsd;
        const adviser = context.adviserOf(account);
        const priced = snapshot ? adviser.price(snapshot, nowTs) : [];
        const signalFor = createHolderSignals(priced, adviser.advise(snapshot, bankrollUsd, nowTs));
        return presentPortfolio(query.wallet, found, signalFor, settings, nowTs);
      });
    },
  });
}
