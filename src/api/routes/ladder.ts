// The price ladder of each active event: every bucket with book, cost, edge and target size.

import { buildLadder, type LadderRow } from '../../trade/advice/ladder.ts';
import { getSizingRules } from '../../trade/sizing/sizing-rules.ts';
import type { PricedEvent } from '../../trade/types.ts';
import type { RouteContext } from '../context.ts';
import { LadderAnswer, LadderQuery } from '../contract/signals.ts';
import { ok } from '../http/answer.ts';
import { toPricedEvent } from '../priced-event.ts';
import { createRecentResults } from '../recent-results.ts';
import { API_PREFIX, defineRoute, type Route } from '../route.ts';
import { listActive } from '../views/events.ts';
import { presentLadders } from '../views/ladder.ts';

export interface EventLadder {
  eventId: number;
  title: string;
  rows: LadderRow[];
}

export function ladderRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const recent = createRecentResults<number, EventLadder[]>(200, 1_000);
    return defineRoute({
      path: `${API_PREFIX}/signals/${account.segment}/ladder`,
      access: 'PRO',
      isPayable: true,
      query: LadderQuery,
      document: {
        operationId: `getLadder_${account.segment}`,
        tag: 'Signals',
        summary: `Price ladder of the active events of ${account.segment}`,
        ok: LadderAnswer,
      },
      handle({ query, nowTs }) {
        const bankrollUsd = query.bankroll ?? context.settings.defaultBankrollUsd;
        const snapshot = context.board.find(account.accountId);
        const ladders = recent.get(bankrollUsd, snapshot, nowTs, () => {
          const priced = listActive(snapshot, nowTs)
            .map((state) => toPricedEvent(snapshot!, state, nowTs))
            .filter((event): event is PricedEvent => event !== null);
          const rules = getSizingRules(account);
          return priced.map((event) => ({
            eventId: event.eventId,
            title: event.title,
            rows: buildLadder(event, bankrollUsd, rules, priced),
          }));
        });
        // Sized together with the other events all the same: a bankroll is not bet twice.
        const asked =
          query.event_id === undefined
            ? ladders
            : ladders.filter(({ eventId }) => eventId === query.event_id);
        return ok(presentLadders(asked, bankrollUsd, nowTs));
      },
    });
  });
}
