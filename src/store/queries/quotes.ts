// Order-book token prices. The history stores only changes, with tokens as short numbers. Each token's
// number, latest quote and last-seen time are in a separate small table, so a year of history slows no reads.

import { sql } from 'kysely';
import type { Quote } from '../../domain/quote.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { Connection } from '../engine.ts';
import type { QuoteColumns, QuotesLatestTable, QuotesTable } from '../schema.ts';
import { batchesOf, type Columns, isAmong, replaceRows } from './many-rows.ts';

export interface QuoteRange {
  fromTs: number;
  /** Exclusive. */
  untilTs: number;
  limit: number;
}

export interface QuoteStretch {
  keptFromTs: number;
  hourlyFromTs: number;
  hourlyUntilTs: number;
}

/** Numbers start at 1. */
const UNKNOWN = 0;
const PRICES: Columns<QuoteColumns> = {
  observed_ts: 'bigint',
  bid: 'double precision',
  ask: 'double precision',
  bid_shares: 'double precision',
  ask_shares: 'double precision',
  last_trade_price: 'double precision',
};
/** The latest quote of a token is never replaced by an older one. */
const UNLESS_OLDER = 'where excluded.observed_ts >= quotes_latest.observed_ts';
const QUOTES: Columns<QuotesTable> = { token_no: 'bigint', ...PRICES };
const LATEST: Columns<QuotesLatestTable> = { token_id: 'text', ...PRICES, token_no: 'bigint' };

/** Listed by name, so that the server can cache the plan. */
const LATEST_COLUMNS = Object.keys(LATEST) as (keyof QuotesLatestTable)[];

/** A token's latest quote and its number in the history. */
interface Standing {
  tokenNo: number;
  /** null for a new token. */
  quote: Quote | null;
}

export function createQuoteQueries(connection: Connection) {
  return {
    ...createQuoteWrites(connection),
    ...createQuoteReads(connection),
    ...createQuotePruning(connection),
  };
}

function createQuoteWrites(connection: Connection) {
  const { db, engine } = connection;

  async function selectStanding(tokenIds: readonly string[]): Promise<Map<string, Standing>> {
    const rows = await selectRows(connection, tokenIds);
    return new Map(
      rows.map((row) => [row.token_id, { tokenNo: row.token_no, quote: fromRow(row.token_id, row) }]),
    );
  }

  /** Assigns the next numbers to new tokens. */
  async function numberTokens(tokenIds: readonly string[]): Promise<Map<string, Standing>> {
    const standing = await selectStanding(tokenIds);
    if (standing.size === tokenIds.length) return standing;
    await engine.holdTokenNumbers(db);
    const numbered = await selectStanding(tokenIds);
    const { last } = await db
      .selectFrom('quotes_latest')
      .select((eb) => eb.fn.max('token_no').as('last'))
      .executeTakeFirstOrThrow();
    let tokenNo = last ?? 0;
    for (const id of tokenIds) if (!numbered.has(id)) numbered.set(id, { tokenNo: ++tokenNo, quote: null });
    return numbered;
  }

  return {
    async record(quotes: readonly Quote[]) {
      if (quotes.length === 0) return;
      const standing = await numberTokens([...new Set(quotes.map((quote) => quote.tokenId))]);
      /** By token and time: the last of several simultaneous quotes wins. */
      const changes = new Map<string, QuotesTable>();
      for (const quote of quotes) {
        const { tokenNo, quote: previous } = standing.get(quote.tokenId)!;
        if (!previous || !isSamePrice(previous, quote) || quote.observedTs < previous.observedTs) {
          changes.set(`${tokenNo} ${quote.observedTs}`, { token_no: tokenNo, ...toColumns(quote) });
        }
        if (!previous || quote.observedTs >= previous.observedTs)
          standing.set(quote.tokenId, { tokenNo, quote });
      }
      const rows = [...changes.values()];
      await engine.makeRoomForQuotes(
        db,
        rows.map((row) => row.observed_ts),
      );
      await replaceRows(connection, 'quotes', QUOTES, ['token_no', 'observed_ts'], rows);
      const latest = [...standing].map(([token_id, { tokenNo, quote }]) => ({
        token_id,
        ...toColumns(quote!),
        token_no: tokenNo,
      }));
      await replaceRows(connection, 'quotes_latest', LATEST, ['token_id'], latest, UNLESS_OLDER);
    },
  };
}

function createQuoteReads(connection: Connection) {
  const { db } = connection;

  return {
    async latest(tokenIds: readonly string[]) {
      return (await selectRows(connection, tokenIds)).map((row) => fromRow(row.token_id, row));
    },

    /** The last quote at or before ts, if any. */
    async standingAt(tokenId: string, ts: number) {
      const row = await db
        .selectFrom('quotes')
        .selectAll()
        .where('token_no', '=', await findNumber(db, tokenId))
        .where('observed_ts', '<=', ts)
        .orderBy('observed_ts', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && fromRow(tokenId, row);
    },

    /** Earliest first; to get the next page, start after the last time of this one. */
    async listRange(tokenId: string, { fromTs, untilTs, limit }: QuoteRange) {
      const rows = await db
        .selectFrom('quotes')
        .selectAll()
        .where('token_no', '=', await findNumber(db, tokenId))
        .where('observed_ts', '>=', fromTs)
        .where('observed_ts', '<', untilTs)
        .orderBy('observed_ts')
        .limit(limit)
        .execute();
      return rows.map((row) => fromRow(tokenId, row));
    },
  };
}

function createQuotePruning({ db, engine }: Connection) {
  return {
    /** Drops whole partitions before ts; returns the number of removed rows. */
    dropMonths: (beforeTs: number) => engine.dropQuotesBefore(db, beforeTs),

    /** The next tokens with quotes, in order, and whether each has quotes that `shorten` would delete. */
    async listTokens(
      afterTokenId: string,
      { keptFromTs, hourlyFromTs, hourlyUntilTs }: QuoteStretch,
      limit: number,
    ) {
      const { rows } = await sql<{ token_id: string; is_due: number }>`
        select l.token_id, case when exists (
          select 1 from quotes q where q.token_no = l.token_no and q.observed_ts < ${keptFromTs}
        ) or exists (
          select 1 from quotes q where q.token_no = l.token_no
          and q.observed_ts >= ${hourlyFromTs} and q.observed_ts < ${hourlyUntilTs}
          group by q.observed_ts / ${sql.lit(HOUR_MS)} having count(*) > 1
        ) then 1 else 0 end as is_due
        from quotes_latest l where l.token_id > ${afterTokenId}
        and exists (select 1 from quotes q where q.token_no = l.token_no)
        order by l.token_id limit ${limit}`.execute(db);
      return rows.map((row) => ({ tokenId: row.token_id, isDue: row.is_due === 1 }));
    },

    /** Deletes a token's expired quotes, and within a range all but the last quote of each hour. */
    async shorten(tokenId: string, { keptFromTs, hourlyFromTs, hourlyUntilTs }: QuoteStretch) {
      const tokenNo = await findNumber(db, tokenId);
      const { numAffectedRows } = await sql`
        delete from quotes where token_no = ${tokenNo} and (
          observed_ts < ${keptFromTs}
          or (
            observed_ts >= ${hourlyFromTs} and observed_ts < ${hourlyUntilTs} and observed_ts not in (
              select max(observed_ts) from quotes
              where token_no = ${tokenNo} and observed_ts >= ${hourlyFromTs} and observed_ts < ${hourlyUntilTs}
              group by observed_ts / ${sql.lit(HOUR_MS)}
            )
          )
        )`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}

async function selectRows(connection: Connection, tokenIds: readonly string[]): Promise<QuotesLatestTable[]> {
  const rows: QuotesLatestTable[] = [];
  for (const batch of batchesOf(tokenIds, 1)) {
    const found = connection.db
      .selectFrom('quotes_latest')
      .select(LATEST_COLUMNS)
      .where(isAmong(connection, 'token_id', 'text', batch));
    rows.push(...(await found.execute()));
  }
  return rows;
}

async function findNumber(db: Connection['db'], tokenId: string): Promise<number> {
  const row = await db
    .selectFrom('quotes_latest')
    .select('token_no')
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
  return row?.token_no ?? UNKNOWN;
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

function toColumns(quote: Quote): QuoteColumns {
  return {
    observed_ts: quote.observedTs,
    bid: quote.bid,
    ask: quote.ask,
    bid_shares: quote.bidShares,
    ask_shares: quote.askShares,
    last_trade_price: quote.lastTradePrice,
  };
}

function fromRow(tokenId: string, row: QuoteColumns): Quote {
  return {
    tokenId,
    bid: row.bid,
    ask: row.ask,
    bidShares: row.bid_shares,
    askShares: row.ask_shares,
    lastTradePrice: row.last_trade_price,
    observedTs: row.observed_ts,
  };
}
