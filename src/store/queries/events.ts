// Market events with their buckets, as last listed.

import { sql } from 'kysely';
import type { AccountId } from '../../domain/account.ts';
import type { ListedTerms } from '../../domain/contract.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import type { Connection } from '../engine.ts';
import { toFlag } from '../record-table.ts';
import type { EventsTable } from '../schema.ts';
import { SETTLEMENTS, type Settlement } from '../tables-results.ts';
import { type Columns, insertTuples, isAmong, replaceRows } from './many-rows.ts';

export interface EventPage {
  fromTs: number;
  untilTs: number;
  limit: number;
  /** The last event of the previous page. */
  after: { endTs: number; eventId: number } | null;
}

const COLUMNS: Columns<EventsTable> = {
  event_id: 'bigint',
  account_id: 'text',
  title: 'text',
  slug: 'text',
  image: 'text',
  start_ts: 'bigint',
  end_ts: 'bigint',
  is_closed: 'bigint',
  buckets: 'text',
  terms: 'text',
};

export function createEventQueries(connection: Connection) {
  const { db } = connection;
  return {
    async upsert(events: readonly MarketEvent[]) {
      await replaceRows(connection, 'events', COLUMNS, ['event_id'], withoutRepeats(events).map(toRow));
    },

    /** Events with a window that ends after endedAfterTs. */
    async list(accountId: AccountId, endedAfterTs: number) {
      const rows = await db
        .selectFrom('events')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('end_ts', '>', endedAfterTs)
        .orderBy('end_ts')
        .orderBy('event_id')
        .execute();
      return rows.map(fromRow);
    },

    async find(eventId: number) {
      const row = await db
        .selectFrom('events')
        .selectAll()
        .where('event_id', '=', eventId)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    /** Events after `after` that overlap [fromTs, untilTs), latest end first. */
    async listPage(accountId: AccountId, { fromTs, untilTs, limit, after }: EventPage) {
      let query = db
        .selectFrom('events')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('end_ts', '>', fromTs)
        .where('start_ts', '<', untilTs);
      if (after !== null) {
        query = query.where((eb) =>
          eb.or([
            eb('end_ts', '<', after.endTs),
            eb.and([eb('end_ts', '=', after.endTs), eb('event_id', '<', after.eventId)]),
          ]),
        );
      }
      const rows = await query.orderBy('end_ts', 'desc').orderBy('event_id', 'desc').limit(limit).execute();
      return rows.map(fromRow);
    },
  };
}

/** One statement must not update a row twice, so the later listing wins. */
function withoutRepeats(events: readonly MarketEvent[]): MarketEvent[] {
  return [...new Map(events.map((event) => [event.eventId, event])).values()];
}

function toRow(event: MarketEvent): EventsTable {
  return {
    event_id: event.eventId,
    account_id: event.accountId,
    title: event.title,
    slug: event.slug,
    image: event.image,
    start_ts: event.window.startTs,
    end_ts: event.window.endTs,
    is_closed: toFlag(event.isClosed),
    buckets: JSON.stringify(event.buckets),
    terms: event.terms ? JSON.stringify(event.terms) : null,
  };
}

function fromRow(row: EventsTable): MarketEvent {
  return {
    eventId: row.event_id,
    accountId: row.account_id,
    title: row.title,
    slug: row.slug,
    image: row.image,
    window: { startTs: row.start_ts, endTs: row.end_ts },
    buckets: JSON.parse(row.buckets) as MarketEvent['buckets'],
    isClosed: row.is_closed === 1,
    ...(row.terms === null ? {} : { terms: JSON.parse(row.terms) as ListedTerms }),
  };
}

// Final counts. A late revision is a new row; the newest revision applies.

export function createSettlementQueries(connection: Connection) {
  const { db } = connection;

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
    /** Append-only; returns false if the latest revisions already have the same counts and winners. */
    async record(...settlements: readonly Omit<Settlement, 'revision'>[]) {
      const known = await selectNewest()
        .where(
          isAmong(
            connection,
            'event_id',
            'bigint',
            settlements.map(({ eventId }) => eventId),
          ),
        )
        .execute();
      const newest = new Map(known.map((row) => [row.event_id, row]));
      const added = settlements.filter(({ eventId, finalCount, winningLabel }) => {
        const before = newest.get(eventId);
        return before?.final_count !== finalCount || before.winning_label !== winningLabel;
      });
      const rows = added.map((settlement) => {
        const revision = (newest.get(settlement.eventId)?.revision ?? 0) + 1;
        return Object.values(SETTLEMENTS.toRow({ ...settlement, revision }));
      });
      await insertTuples(connection, 'settlements', SETTLEMENTS.sqlTypes, rows);
      return added.length > 0;
    },

    async latest(eventIds: readonly number[]) {
      if (eventIds.length === 0) return [];
      const rows = await selectNewest()
        .where(isAmong(connection, 'event_id', 'bigint', eventIds))
        .orderBy('event_id')
        .execute();
      return rows.map(SETTLEMENTS.fromRow);
    },

    /** Those of the events that have forecasts or signals, which are settled with them. */
    async listInvolved(eventIds: readonly number[]) {
      if (eventIds.length === 0) return [];
      const isListed = isAmong(connection, 'event_id', 'bigint', eventIds);
      const { rows } = await sql<{ event_id: number }>`
        select event_id from forecasts where ${isListed} union select event_id from signals where ${isListed}`.execute(
        db,
      );
      return rows.map((row) => row.event_id);
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
