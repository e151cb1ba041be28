// Prices of order-book tokens. The history stores changes only; each token's newest quote and last-seen time are in a
// small separate table, so a year of history does not slow reads.

import { sql } from 'kysely';
import type { Quote } from '../../domain/quote.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { Connection } from '../engine.ts';
import type { QuoteStore } from '../ports.ts';
import type { QuotesTable } from '../schema.ts';
import { batchesOf } from './batches.ts';

const COLUMN_COUNT = 7;

export function createQuoteQueries(connection: Connection): QuoteStore {
  const { db, engine } = connection;

  async function selectLatest(tokenIds: readonly string[]): Promise<Quote[]> {
    const rows: QuotesTable[] = [];
    for (const batch of batchesOf(tokenIds, 1)) {
      rows.push(
        ...(await db.selectFrom('quotes_latest').selectAll().where('token_id', 'in', batch).execute()),
      );
    }
    return rows.map(fromRow);
  }

  async function appendChanges(changes: readonly Quote[]): Promise<void> {
    await engine.makeRoomForQuotes(
      db,
      changes.map((quote) => quote.observedTs),
    );
    for (const batch of batchesOf(changes, COLUMN_COUNT)) {
      await db
        .insertInto('quotes')
        .values(batch.map(toRow))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  async function replaceLatest(quotes: readonly Quote[]): Promise<void> {
    for (const batch of batchesOf(quotes, COLUMN_COUNT)) {
      await db
        .insertInto('quotes_latest')
        .values(batch.map(toRow))
        .onConflict((conflict) =>
          conflict
            .column('token_id')
            .doUpdateSet((eb) => ({
              observed_ts: eb.ref('excluded.observed_ts'),
              bid: eb.ref('excluded.bid'),
              ask: eb.ref('excluded.ask'),
              bid_shares: eb.ref('excluded.bid_shares'),
              ask_shares: eb.ref('excluded.ask_shares'),
              last_trade_price: eb.ref('excluded.last_trade_price'),
            }))
            .whereRef('excluded.observed_ts', '>=', 'quotes_latest.observed_ts'),
        )
        .execute();
    }
  }

  return {
    async record(quotes) {
      if (quotes.length === 0) return;
      const standing = new Map<string, Quote>();
      for (const quote of await selectLatest([...new Set(quotes.map((quote) => quote.tokenId))])) {
        standing.set(quote.tokenId, quote);
      }
      const changes: Quote[] = [];
      for (const quote of quotes) {
        const previous = standing.get(quote.tokenId);
        if (!previous || !isSamePrice(previous, quote) || quote.observedTs < previous.observedTs) {
          changes.push(quote);
        }
        if (!previous || quote.observedTs >= previous.observedTs) standing.set(quote.tokenId, quote);
      }
      await appendChanges(changes);
      await replaceLatest([...standing.values()]);
    },

    latest: selectLatest,

    async standingAt(tokenId, ts) {
      const row = await db
        .selectFrom('quotes')
        .selectAll()
        .where('token_id', '=', tokenId)
        .where('observed_ts', '<=', ts)
        .orderBy('observed_ts', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    async listRange(tokenId, { fromTs, untilTs, limit }) {
      const rows = await db
        .selectFrom('quotes')
        .selectAll()
        .where('token_id', '=', tokenId)
        .where('observed_ts', '>=', fromTs)
        .where('observed_ts', '<', untilTs)
        .orderBy('observed_ts')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },

    dropMonths: (beforeTs) => engine.dropQuotesBefore(db, beforeTs),

    /** Jumps from token to token by the index. */
    async listTokens(afterTokenId, { keptFromTs, hourlyFromTs, hourlyUntilTs }, limit) {
      const { rows } = await sql<{ token_id: string; is_due: number }>`
        with recursive tokens(token_id) as (
          select min(token_id) from quotes where token_id > ${afterTokenId}
          union all
          select (select min(q.token_id) from quotes q where q.token_id > tokens.token_id)
          from tokens where tokens.token_id is not null
        )
        select token_id, case when exists (
          select 1 from quotes q where q.token_id = tokens.token_id and q.observed_ts < ${keptFromTs}
        ) or exists (
          select 1 from quotes q where q.token_id = tokens.token_id
          and q.observed_ts >= ${hourlyFromTs} and q.observed_ts < ${hourlyUntilTs}
        ) then 1 else 0 end as is_due
        from tokens where token_id is not null limit ${limit}`.execute(db);
      return rows.map((row) => ({ tokenId: row.token_id, isDue: row.is_due === 1 }));
    },

    async shorten(tokenId, { keptFromTs, hourlyFromTs, hourlyUntilTs }) {
      const { numAffectedRows } = await sql`
        delete from quotes where token_id = ${tokenId} and (
          observed_ts < ${keptFromTs}
          or (
            observed_ts >= ${hourlyFromTs} and observed_ts < ${hourlyUntilTs} and observed_ts not in (
              select max(observed_ts) from quotes
              where token_id = ${tokenId} and observed_ts >= ${hourlyFromTs} and observed_ts < ${hourlyUntilTs}
              group by observed_ts / ${sql.lit(HOUR_MS)}
            )
          )
        )`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}

function isSamePrice(left: Quote, right: Quote): boolean {
  return (
    left.bid === right.bid &&
    left.ask === right.ask &&
    left.bidShares === right.bidShares &&
    left.askShares === right.askShares &&
    left.lastTradePrice === right.lastTradePrice
  );
}

function toRow(quote: Quote): QuotesTable {
  return {
    token_id: quote.tokenId,
    observed_ts: quote.observedTs,
    bid: quote.bid,
    ask: quote.ask,
    bid_shares: quote.bidShares,
    ask_shares: quote.askShares,
    last_trade_price: quote.lastTradePrice,
  };
}

function fromRow(row: QuotesTable): Quote {
  return {
    tokenId: row.token_id,
    bid: row.bid,
    ask: row.ask,
    bidShares: row.bid_shares,
    askShares: row.ask_shares,
    lastTradePrice: row.last_trade_price,
    observedTs: row.observed_ts,
  };
}
