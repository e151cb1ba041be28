// Endpoints 8 and 9: signals, sized for a bankroll.

import { SignalsAnswer, SignalsQuery } from '../../contract/signals.ts';
import type { RouteContext } from '../context.ts';
import { createPreparedViews } from '../http/prepared-views.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { nextBoundaryTs } from '../records/events.ts';
import { presentSignals } from '../views/signals.ts';

export function signalsRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const adviser = context.adviserOf(account);
    const views = createPreparedViews();
    return defineLooseRoute({
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
        ok: SignalsAnswer,
      },
      handle({ query, nowTs }) {
        const bankrollUsd = query.bankroll ?? context.settings.defaultBankrollUsd;
        const snapshot = context.board.find(account.accountId);
        const records = context.realisedRecords(account.accountId);
        const isFiltered = query.only_with_signals!;
        const version = [snapshot, records, nextBoundaryTs(snapshot, nowTs)];
        return views.get(`${bankrollUsd} ${isFiltered}`, version, nowTs, () => {
          const signals = adviser.advise(snapshot, bankrollUsd, nowTs);
          return presentSignals(snapshot, signals, isFiltered, records, context.settings, nowTs);
        });
      },
    });
  });
}
