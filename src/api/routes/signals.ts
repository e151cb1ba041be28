// Endpoints 8 and 9: signals, sized for a bankroll.

import type { RouteContext } from '../context.ts';
import { SignalsAnswer, SignalsQuery } from '../contract/signals.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../route.ts';
import { presentSignals } from '../views/signals.ts';

export function signalsRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const adviser = context.adviserOf(account);
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
          'Every open bucket, best edge first, with a stake from the optimal-growth fraction of the bankroll. Nothing is advised on feeds that are dark. Model estimates, not guaranteed profit.',
        ok: SignalsAnswer,
      },
      handle({ query, nowTs }) {
        const bankrollUsd = query.bankroll ?? context.settings.defaultBankrollUsd;
        const snapshot = context.board.find(account.accountId);
        const signals = adviser.advise(snapshot, bankrollUsd, nowTs);
        const records = context.realisedRecords(account.accountId);
        return ok(presentSignals(snapshot, signals, query.only_with_signals!, records, nowTs));
      },
    });
  });
}
