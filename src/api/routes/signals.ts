// Endpoints 8 and 9: signals, sized for a bankroll.

import type { Account } from '../../domain/account.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import { buildAccountSignals, sizeAccount } from '../../trade/advice/signals.ts';
import type { FlatSizing } from '../../trade/sizing/flat-sizing.ts';
import { getSizingRules } from '../../trade/sizing/sizing-rules.ts';
import type { EventSignals, PricedEvent } from '../../trade/types.ts';
import type { RouteContext } from '../context.ts';
import { SignalsAnswer, SignalsQuery } from '../contract/signals.ts';
import { ok } from '../http/answer.ts';
import { toPricedEvent } from '../priced-event.ts';
import { createRecentResults } from '../recent-results.ts';
import { API_PREFIX, defineRoute, type Route } from '../route.ts';
import { listActive } from '../views/events.ts';
import { presentSignals } from '../views/signals.ts';

const REUSE_MS = 1_000;
const BANKROLLS_KEPT = 200;

export function signalsRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const recent = createRecentResults<number, EventSignals[]>(BANKROLLS_KEPT, REUSE_MS);
    const size = createSizer(account);
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
          buildSignals(account, size, snapshot, bankrollUsd, nowTs),
        );
        const records = context.realisedRecords(account.accountId);
        return ok(presentSignals(signals, query.only_with_signals!, records, nowTs));
      },
    });
  });
}

type Sizer = (
  snapshot: AccountSnapshot,
  states: readonly EventState[],
  priced: readonly PricedEvent[],
) => FlatSizing;

/** Sizes again when something changed on which the fractions depend; feeds that answer and counts change none of it. */
function createSizer(account: Account): Sizer {
  let basis: readonly unknown[] = [];
  let sizing: FlatSizing | null = null;
  return (snapshot, states, priced) => {
    const { quotes, jointFinals } = snapshot;
    const now = [quotes, jointFinals, ...states.flatMap(({ event, forecast }) => [event, forecast])];
    const isSame = now.length === basis.length && now.every((part, i) => part === basis[i]);
    if (!isSame || sizing === null) sizing = sizeAccount(priced, getSizingRules(account));
    basis = now;
    return sizing;
  };
}

/** Events without a forecast are listed too: with nothing to act on. */
function buildSignals(
  account: Account,
  size: Sizer,
  snapshot: AccountSnapshot | undefined,
  bankrollUsd: number,
  nowTs: number,
): EventSignals[] {
  const active = listActive(snapshot, nowTs);
  const priced = active
    .map((state) => toPricedEvent(snapshot!, state, nowTs))
    .filter((event): event is PricedEvent => event !== null);
  const sizing = snapshot && size(snapshot, active, priced);
  const built = buildAccountSignals(priced, bankrollUsd, getSizingRules(account), sizing);
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
