// What to trade now, ranked across all accounts and events.

import { OpportunitiesAnswer, OpportunitiesQuery } from '../../contract/signals.ts';
import { findNearestMiss, rankOpportunities } from '../../trade/advice/opportunities.ts';
import type { RouteContext } from '../context.ts';
import { createPreparedViews } from '../http/prepared-views.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { nextBoundaryTs } from '../records/events.ts';
import { presentOpportunities } from '../views/opportunities.ts';

export function opportunitiesRoutes(context: RouteContext): Route[] {
  const views = createPreparedViews();
  return [
    defineLooseRoute({
      path: `${API_PREFIX}/signals`,
      access: 'PRO',
      isPayable: true,
      query: OpportunitiesQuery,
      document: {
        operationId: 'getOpportunities',
        tag: 'Signals',
        summary: 'What to trade now, across all accounts and events',
        description:
          'All current trades, best first: side, limit, stake, depth, time left, reasons. If there are none, `nearest` has the closest bucket and the cost at which it would be worth buying.',
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
          const ranked = rankOpportunities(advice).slice(0, query.limit!);
          return presentOpportunities(context, ranked, findNearestMiss(advice), advice, bankrollUsd, nowTs);
        });
      },
    }),
  ];
}
