// Endpoints 8 and 9: signals, sized for a bankroll.

import type { Account } from '../../domain/account.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import { buildAccountSignals } from '../../trade/signals.ts';
import { getSizingRules } from '../../trade/sizing-rules.ts';
import type { EventSignals, PricedEvent } from '../../trade/types.ts';
import type { RouteContext } from '../context.ts';
import { SignalsAnswer, SignalsQuery } from '../contract/signals.ts';
import { ok } from '../http/answer.ts';
import { toPricedEvent } from '../priced-event.ts';
import { createRecentResults } from '../recent-results.ts';
import { listActive } from '../views/events.ts';
import { presentSignals } from '../views/signals.ts';
import { API_PREFIX, defineRoute, type Route } from './route.ts';

const REUSE_MS = 1_000;
const BANKROLLS_KEPT = 200;

export function signalsRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const recent = createRecentResults<number, EventSignals[]>(BANKROLLS_KEPT, REUSE_MS);
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
          'Every open bucket, best edge first, with a stake from the optimal-growth fraction of the bankroll. Model estimates, not guaranteed profit.',
        ok: SignalsAnswer,
      },
      handle({ query, nowTs }) {
        const bankrollUsd = query.bankroll ?? context.settings.defaultBankrollUsd;
        const snapshot = context.board.find(account.accountId);
        const signals = recent.get(bankrollUsd, snapshot, nowTs, () =>
          buildSignals(account, snapshot, bankrollUsd, nowTs),
        );
        const records = context.realisedRecords(account.accountId);
        return ok(presentSignals(signals, query.only_with_signals!, records, nowTs));
      },
    });
  });
}

/** Events without a forecast are listed too: with nothing to act on. */
function buildSignals(
  account: Account,
  snapshot: AccountSnapshot | undefined,
  bankrollUsd: number,
  nowTs: number,
): EventSignals[] {
  const active = listActive(snapshot, nowTs);
  const priced = active
    .map((state) => toPricedEvent(snapshot!, state, nowTs))
    .filter((event): event is PricedEvent => event !== null);
  const built = buildAccountSignals(priced, bankrollUsd, getSizingRules(account.accountId));
  return active.map(
    ({ event }) =>
      built.find((signals) => signals.eventId === event.eventId) ?? {
        eventId: event.eventId,
        title: event.title,
        signals: [],
        buy: [],
        sell: [],
      },
  );
}
