// Endpoint 12: which of a wallet's positions to change.

import { envelope } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { rebalancePositions } from '../../trade/positions/rebalance.ts';
import type { RebalancingPosition } from '../../trade/types.ts';
import type { RouteContext } from '../context.ts';
import { ApiError, RETRY_AFTER_S } from '../http/error-responses.ts';
import { createPreparedViews } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { BankrollParameter } from '../records/advice.ts';
import { type EventSource, eventRows, feedRows } from '../records/events.ts';
import { cents, recordOf, six } from '../records/record.ts';
import {
  answerOnce,
  checkWallet,
  createWalletView,
  type FetchPositions,
  Wallet,
  type WalletResult,
} from './wallet-results.ts';

const RebalancingQuery = Type.Object({
  wallet: Wallet,
  bankroll: BankrollParameter,
  threshold: Type.Optional(Type.Number({ minimum: 1, maximum: 100, default: 5, description: 'USD' })),
});

const AdjustmentRecord = recordOf<RebalancingPosition>()({
  bucket: [Type.String(), ({ bucketLabel }) => bucketLabel],
  outcome: [Type.Enum(['Yes', 'No']), ({ side }) => side],
  token_id: [Type.String(), ({ tokenId }) => tokenId],
  action: [Type.Enum(['ADD_MORE', 'TRIM']), ({ action }) => action],
  current_value: cents(({ currentValueUsd }: RebalancingPosition) => currentValueUsd),
  target_value: cents(({ targetValueUsd }: RebalancingPosition) => targetValueUsd),
  adjustment: cents(({ adjustmentUsd }: RebalancingPosition) => adjustmentUsd),
  adjustment_shares: cents(({ adjustmentShares }: RebalancingPosition) => adjustmentShares),
  current_price: six(({ currentPrice }: RebalancingPosition) => currentPrice),
  win_probability: six(({ winProbability }: RebalancingPosition) => winProbability),
  edge: six(({ edge }: RebalancingPosition) => edge),
  reasons: [Type.Array(Type.String()), ({ reasons }) => [...reasons]],
});

interface RebalancingSource extends EventSource {
  request: { bankroll: number; threshold: number };
  positions: readonly RebalancingPosition[];
}

const RebalancingRecord = recordOf<RebalancingSource>('RebalancingRecord')({
  ...eventRows,
  bankroll: [Type.Number(), ({ request }) => request.bankroll],
  threshold: [Type.Number(), ({ request }) => request.threshold],
  ...feedRows,
  positions: [
    Type.Array(AdjustmentRecord.schema),
    ({ positions }) => positions.map(AdjustmentRecord.present),
  ],
});

function presentRebalancing(
  { snapshot, active, result }: WalletResult<{ eventId: number; positions: readonly RebalancingPosition[] }>,
  request: RebalancingSource['request'],
  nowTs: number,
) {
  const data = active.flatMap((state) => {
    const positions = result.find(({ eventId }) => eventId === state.event.eventId)?.positions ?? [];
    if (positions.length === 0) return [];
    return [RebalancingRecord.present({ snapshot: snapshot!, state, request, positions, nowTs })];
  });
  return { timestamp: nowTs, data };
}

export function rebalancingRoute(
  context: RouteContext,
  account: Account,
  fetchPositions: FetchPositions,
): Route {
  const views = createPreparedViews<ReturnType<typeof presentRebalancing>>();
  const view = createWalletView(
    context,
    account,
    fetchPositions,
    (priced, { positions, unread }, request, adviseFor) => {
      if (unread.length > 0) throw unreadHoldings(unread.length);
      const bankrollUsd = request.bankroll!;
      const { rules } = context.adviserOf(account);
      const advice = { bankrollUsd, signals: adviseFor(bankrollUsd), rules };
      return rebalancePositions(priced, positions, advice, request.threshold!);
    },
  );
  return defineRoute({
    path: `${API_PREFIX}/portfolio/${account.segment}/rebalancing`,
    access: 'PRO',
    isPayable: true,
    query: RebalancingQuery,
    document: {
      operationId: `getRebalancing_${account.segment}`,
      tag: 'Portfolio',
      summary: `Positions in events of ${account.segment} that need ADD_MORE or TRIM`,
      ok: envelope('RebalancingAnswer', RebalancingRecord.schema),
      also: [400],
    },
    handle({ query, nowTs }) {
      checkWallet(query.wallet);
      const request = { bankroll: query.bankroll, threshold: query.threshold! };
      const key = `${query.wallet} ${request.bankroll} ${request.threshold}`;
      return answerOnce(views, key, context.board.find(account.accountId), nowTs, async () =>
        presentRebalancing(await view(query, nowTs), request, nowTs),
      );
    },
  });
}

/** Rebalancing depends on all holdings, so there is no result if some are unknown. */
function unreadHoldings(count: number): ApiError {
  const detail = `${count} position(s) of this wallet could not be read, so rebalancing cannot be computed. Try again shortly.`;
  return new ApiError(503, detail, { 'Retry-After': String(RETRY_AFTER_S) });
}
