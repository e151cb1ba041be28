// What to do now, across all accounts and events, ranked.

import { findNearestMiss, rankOpportunities } from '../../trade/advice/opportunities.ts';
import type { RouteContext } from '../context.ts';
import { OpportunitiesAnswer, OpportunitiesQuery } from '../contract/signals.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../route.ts';
import { presentOpportunities } from '../views/opportunities.ts';

export function opportunitiesRoutes(context: RouteContext): Route[] {
  return [
    defineRoute({
      path: `${API_PREFIX}/signals`,
      access: 'PRO',
      isPayable: true,
      query: OpportunitiesQuery,
      document: {
        operationId: 'getOpportunities',
        tag: 'Signals',
        summary: 'What to do now, across all accounts and events',
        description:
          'Every trade that is advised, the best first: side, limit, stake, depth, time left, why. Empty when nothing is worth it; then `nearest` tells which bucket came closest and at what cost it would be.',
        ok: OpportunitiesAnswer,
      },
      handle({ query, nowTs }) {
        const bankrollUsd = query.bankroll ?? context.settings.defaultBankrollUsd;
        const advice = context.accounts.map((account) => ({
          accountId: account.accountId,
          events: context
            .adviserOf(account)
            .advise(context.board.find(account.accountId), bankrollUsd, nowTs),
        }));
        const ranked = rankOpportunities(advice).slice(0, query.limit!);
        return ok(presentOpportunities(context, ranked, findNearestMiss(advice), advice, bankrollUsd, nowTs));
      },
    }),
  ];
}
