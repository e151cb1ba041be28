// The price ladder of each active event: every bucket with book, cost, edge and target size.

import { buildLadder } from '../../trade/advice/ladder.ts';
import type { RouteContext } from '../context.ts';
import { LadderAnswer, LadderQuery } from '../contract/signals.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../route.ts';
import { presentLadders } from '../views/ladder.ts';

export function ladderRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const adviser = context.adviserOf(account);
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
        if (!snapshot) return ok(presentLadders(undefined, [], bankrollUsd, nowTs));
        // Sized together with the other events all the same: a bankroll is not bet twice.
        const advice = adviser.advise(snapshot, bankrollUsd, nowTs);
        const ladders = adviser
          .price(snapshot, nowTs)
          .filter(({ eventId }) => query.event_id === undefined || eventId === query.event_id)
          .map((event) => {
            const signals = advice.find(({ eventId }) => eventId === event.eventId)?.signals ?? [];
            return { eventId: event.eventId, title: event.title, rows: buildLadder(event, signals) };
          });
        return ok(presentLadders(snapshot, ladders, bankrollUsd, nowTs));
      },
    });
  });
}
