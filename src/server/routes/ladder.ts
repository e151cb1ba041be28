// Price ladder of each active event: every bucket with book, cost, edge and target size.

import { LadderAnswer, LadderQuery } from '../../contract/signals.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Adviser } from '../../trade/advice/adviser.ts';
import { buildLadder } from '../../trade/advice/ladder.ts';
import type { RouteContext } from '../context.ts';
import { isKnownEvent, unknownEvent } from '../find-event.ts';
import { createPreparedViews } from '../http/prepared-views.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { nextBoundaryTs } from '../records/events.ts';
import { presentLadders } from '../views/ladder.ts';

export function ladderRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const adviser = context.adviserOf(account);
    const views = createPreparedViews();
    return defineLooseRoute({
      path: `${API_PREFIX}/signals/${account.segment}/ladder`,
      access: 'PRO',
      isPayable: true,
      query: LadderQuery,
      document: {
        operationId: `getLadder_${account.segment}`,
        tag: 'Signals',
        summary: `Price ladder for the active events of ${account.segment}`,
        ok: LadderAnswer,
        also: [404],
      },
      async handle({ query, nowTs }) {
        const { event_id: eventId } = query;
        if (eventId !== undefined && !(await isKnownEvent(context, account.accountId, eventId)))
          throw unknownEvent(account, eventId);
        const bankrollUsd = query.bankroll ?? context.settings.defaultBankrollUsd;
        const snapshot = context.board.find(account.accountId);
        const version = [snapshot, nextBoundaryTs(snapshot, nowTs)];
        return views.get(`${bankrollUsd} ${eventId}`, version, nowTs, () =>
          presentLadders(
            snapshot,
            listLadders(adviser, snapshot, bankrollUsd, eventId, nowTs),
            bankrollUsd,
            nowTs,
          ),
        );
      },
    });
  });
}

function listLadders(
  adviser: Adviser,
  snapshot: AccountSnapshot | undefined,
  bankrollUsd: number,
  onlyEventId: number | undefined,
  nowTs: number,
) {
  if (!snapshot) return [];
  // Sized together with the other events, so that the bankroll is not allocated twice.
  const advice = adviser.advise(snapshot, bankrollUsd, nowTs);
  return adviser
    .price(snapshot, nowTs)
    .filter(({ eventId }) => onlyEventId === undefined || eventId === onlyEventId)
    .map((event) => {
      const signals = advice.find(({ eventId }) => eventId === event.eventId)?.signals ?? [];
      return { eventId: event.eventId, title: event.title, rows: buildLadder(event, signals) };
    });
}
