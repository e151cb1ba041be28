// Final counts. A late revision is a new row; the newest revision applies.

import type { AccountId } from '../../domain/account.ts';
import type { Connection } from '../engine.ts';
import { SETTLEMENTS, type Settlement } from '../tables-results.ts';

export function createSettlementQueries({ db }: Connection) {
  function selectNewest() {
    return db
      .selectFrom('settlements')
      .selectAll()
      .where('revision', '=', (eb) =>
        eb
          .selectFrom('settlements as other')
          .select((sub) => sub.fn.max('other.revision').as('revision'))
          .whereRef('other.event_id', '=', 'settlements.event_id'),
      );
  }

  return {
    /** Append-only; returns false if the latest revision already has the same count and winner. */
    async record(settlement: Omit<Settlement, 'revision'>) {
      const newest = await selectNewest().where('event_id', '=', settlement.eventId).executeTakeFirst();
      const isKnown =
        newest?.final_count === settlement.finalCount && newest.winning_label === settlement.winningLabel;
      if (isKnown) return false;
      const revision = (newest?.revision ?? 0) + 1;
      await db
        .insertInto('settlements')
        .values(SETTLEMENTS.toRow({ ...settlement, revision }))
        .execute();
      return true;
    },

    async latest(eventIds: readonly number[]) {
      if (eventIds.length === 0) return [];
      const rows = await selectNewest().where('event_id', 'in', eventIds).orderBy('event_id').execute();
      return rows.map(SETTLEMENTS.fromRow);
    },

    /** All revisions, oldest first. */
    async history(eventId: number) {
      const rows = await db
        .selectFrom('settlements')
        .selectAll()
        .where('event_id', '=', eventId)
        .orderBy('revision')
        .execute();
      return rows.map(SETTLEMENTS.fromRow);
    },

    async list(accountId: AccountId, settledAfterTs: number) {
      const rows = await selectNewest()
        .where('account_id', '=', accountId)
        .where('settled_ts', '>', settledAfterTs)
        .orderBy('settled_ts')
        .orderBy('event_id')
        .execute();
      return rows.map(SETTLEMENTS.fromRow);
    },
  };
}
