// Short token numbers in the price history, where 77-digit ids took most of a row; the order-book archive.

import type { ColumnTypes, Migration } from './migration.ts';

export const archive: Migration = {
  version: 14,
  name: 'archive',
  statements: (types) => [...numberTokens(types), ...renumberQuotes(types), ...books(types)],
};

const VALUES = 'bid, ask, bid_shares, ask_shares, last_trade_price';

function numberTokens({ integer }: ColumnTypes): string[] {
  return [
    // Ensures that every token in the history has a latest quote, even for rows written by hand.
    `insert into quotes_latest (token_id, observed_ts, ${VALUES})
      select token_id, observed_ts, ${VALUES} from quotes q
      where observed_ts = (select max(o.observed_ts) from quotes o where o.token_id = q.token_id)
        and not exists (select 1 from quotes_latest l where l.token_id = q.token_id)`,
    `alter table quotes_latest add column token_no ${integer}`,
    `update quotes_latest set token_no = n.token_no from (
      select token_id, row_number() over (order by token_id) as token_no from quotes_latest
    ) n where n.token_id = quotes_latest.token_id`,
    'create unique index quotes_latest_by_number on quotes_latest (token_no)',
  ];
}

function renumberQuotes({ engine, integer, real }: ColumnTypes): string[] {
  const end = engine === 'postgres' ? ' partition by range (observed_ts)' : ' strict, without rowid';
  return [
    `create table quotes_numbered (
      token_no ${integer} not null,
      observed_ts ${integer} not null,
      bid ${real},
      ask ${real},
      bid_shares ${real},
      ask_shares ${real},
      last_trade_price ${real},
      primary key (token_no, observed_ts)
    )${end}`,
    ...(engine === 'postgres'
      ? [MOVE_PARTITIONS]
      : [`insert into quotes_numbered ${selectNumbered('quotes')}`]),
    'drop table quotes',
    'alter table quotes_numbered rename to quotes',
  ];
}

function selectNumbered(table: string): string {
  return `select l.token_no, q.observed_ts, q.bid, q.ask, q.bid_shares, q.ask_shares, q.last_trade_price
    from ${table} q join quotes_latest l on l.token_id = q.token_id`;
}

/** Month by month, under the names the service expects. */
const MOVE_PARTITIONS = `do $$
declare part record;
begin
  for part in
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'quotes'::regclass
  loop
    execute format('alter table %I rename to %I', part.name, part.name || '_old');
    execute format('create table %I partition of quotes_numbered %s', part.name, part.bound);
    execute format('insert into %I ${selectNumbered('%I').replaceAll("'", "''")}', part.name, part.name || '_old');
  end loop;
end $$`;

/** Blocks are already compressed; early vacuuming reuses the space freed by merged pieces. */
const TUNE_BLOCKS = [
  'alter table book_blocks alter column content set storage external',
  `alter table book_blocks set (autovacuum_vacuum_scale_factor = 0.05,
    toast.autovacuum_vacuum_scale_factor = 0.05)`,
];

function books({ engine, integer, bytes, tableEnd }: ColumnTypes): string[] {
  return [
    `create table book_blocks (
      event_id ${integer} not null,
      hour_ts ${integer} not null,
      piece ${integer} not null,
      content ${bytes} not null,
      primary key (event_id, hour_ts, piece)
    )${tableEnd}`,
    'create index book_pieces on book_blocks (hour_ts, event_id) where piece > 0',
    ...(engine === 'postgres' ? TUNE_BLOCKS : []),
  ];
}
