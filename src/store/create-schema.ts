// The tables of both engines. A store has exactly this schema: it is created with it, and another version is
// refused, so that no code reads rows that it does not know.

import { StoreError } from '../runtime/errors.ts';
import type { EngineName } from './engine.ts';

/** Increase it with every change of the tables. */
export const SCHEMA_VERSION = 23;

/** Throws for a store with other tables; false if there are none yet. */
export function hasSchema(version: number): boolean {
  if (version === 0 || version === SCHEMA_VERSION) return version !== 0;
  throw new StoreError(
    `the store has schema version ${version}, this build needs ${SCHEMA_VERSION}: start the build that created ` +
      'it, or choose a new DATA_DIR or DATABASE_URL',
    { isRetryable: false },
  );
}

/** Whoever reads it may find no table or no row. */
export const READ_VERSION = 'select max(version) as version from schema_version';

/** A column is `not null` unless it says `null`. Text is compared by bytes. */
const TABLES = `
create table schema_version (version integer, primary key (version));

create table posts (
  account_id text, post_id text, root_post_id text, created_ts integer, first_seen_ts integer,
  deleted_ts integer null, is_counted integer, is_reply integer, is_quote integer,
  is_retweet integer, is_self_reply integer, is_community integer, text text null,
  is_doubtful integer, first_source text null, conversation text null,
  primary key (account_id, post_id), unique (account_id, root_post_id)
);
-- Covers the columns the model reads, so that reading tens of thousands of rows skips the table.
create index posts_by_time on posts (account_id, created_ts, post_id, is_counted);
create index posts_by_capture on posts (account_id, first_seen_ts);
-- Few rows match, but every count reads them.
create index posts_doubtful on posts (account_id, created_ts) where is_doubtful = 1;

create table counts (
  event_id integer, feed text, seq integer, count integer, observed_ts integer,
  primary key (event_id, feed, seq)
);
create table counts_latest (
  event_id integer, feed text, seq integer, count integer, confirmed_ts integer,
  primary key (event_id, feed)
);
create table oracle_posts (
  account_id text, post_id text, created_ts integer, imported_ts integer null, listed_ts integer,
  primary key (account_id, post_id)
);
create index oracle_posts_by_time on oracle_posts (account_id, created_ts);

create table events (
  event_id integer, account_id text, title text, slug text, image text, start_ts integer,
  end_ts integer, is_closed integer, buckets text, terms text null,
  primary key (event_id)
);
create index events_by_end on events (account_id, end_ts);
create table settlements (
  event_id integer, revision integer, account_id text, final_count integer,
  winning_label text null, source text, settled_ts integer,
  primary key (event_id, revision)
);
create index settlements_by_time on settlements (account_id, settled_ts);

-- The history has short token numbers, because 77-digit ids would take most of a row.
create table quotes (
  token_no integer, observed_ts integer, bid real null, ask real null, bid_shares real null,
  ask_shares real null, last_trade_price real null,
  primary key (token_no, observed_ts)
) HISTORY;
create table quotes_latest (
  token_id text, observed_ts integer, bid real null, ask real null, bid_shares real null,
  ask_shares real null, last_trade_price real null, token_no integer null,
  primary key (token_id)
);
create unique index quotes_latest_by_number on quotes_latest (token_no);
create table venue_past (
  event_id integer, read_ts integer, until_ts integer, is_whole integer, content blob,
  primary key (event_id)
);

create table forecasts (
  event_id integer, asof_ts integer, account_id text, count_so_far integer, p5 real, p50 real,
  p95 real, law_from integer, law blob, bucket_probabilities text, market_prices text,
  baselines text null, baseline_laws blob, model_version text, build_commit text,
  primary key (event_id, asof_ts)
);
create index forecasts_by_time on forecasts (asof_ts);
create table scores (
  event_id integer, horizon_h integer, account_id text, end_ts integer, final_count integer,
  p50 real, error_percent real, crps real, log_score real, bucket_log_score real, pit_low real,
  pit_high real, is_inside_50 integer, is_inside_90 integer, buckets text, baselines text,
  model_version text, scored_ts integer,
  primary key (event_id, horizon_h)
);
create index scores_by_end on scores (end_ts);
-- Jobs of hundreds of accounts look for their own scores every minute.
create index scores_by_account on scores (account_id);
create table signals (
  event_id integer, horizon_h integer, bucket_label text, strategy text, account_id text,
  token_id text, confidence text, model_probability real, market_price real, cost_per_share real,
  fee_per_share real, shares real, stake_usd real, asof_ts integer, won integer null,
  pnl_usd real null, closing_line_value real null, settled_ts integer null, edge_kind text null,
  win_probability real null,
  primary key (event_id, horizon_h, bucket_label, strategy)
);
create table happenings (
  account_id text, event_id integer, kind text, bucket_label text, from_ts integer,
  ended_ts integer null, changed_ts integer, content text,
  primary key (event_id, kind, bucket_label, from_ts)
);
create index happenings_by_change on happenings (account_id, changed_ts);
create index happenings_by_start on happenings (account_id, kind, from_ts);
create table annotations (
  ts integer, label text, build_commit text,
  primary key (ts, label, build_commit)
);

create table log_entries (seq integer, hour_ts integer, entry text, primary key (seq));
create table seals (
  hour_ts integer, first_seq integer, size integer, root text, previous text, chain text,
  entries blob,
  primary key (hour_ts)
);
-- One row: the next number, earliest open hour, newest chain hash and a digest of unsealed entries.
create table log_head (
  id integer, next_seq integer, open_hour_ts integer, chain text, running text,
  primary key (id)
);

create table api_keys (
  key_id text, digest text, tier text, label text, first_characters text, last_characters text,
  created_ts integer, revoked_ts integer null, expires_ts integer null,
  primary key (key_id), unique (digest)
);
create index api_keys_by_revocation on api_keys (revoked_ts) where revoked_ts is not null;
create table waitlist (
  identity text, position integer, type text, use_case text, name text null, wallet text null,
  email text null, created_ts integer,
  primary key (identity), unique (position)
);
create table waitlist_counter (id integer, last_position integer, primary key (id));
insert into waitlist_counter (id, last_position) values (1, 0);
create table usage (
  ts integer, key_id text, endpoint text, method text, status integer, response_ms real,
  bytes integer, message text null, requests integer
);
create index usage_by_key on usage (key_id, ts);
create index usage_by_time on usage (ts);
create index usage_errors on usage (key_id, ts) where status >= 400;
-- Long periods are read as a few thousand sums instead of millions of rows.
create table usage_hours (
  key_id text, hour_ts integer, endpoint text, method text, requests integer, errors integer,
  response_ms real, bytes integer,
  primary key (key_id, hour_ts, endpoint, method)
);
create table allowances (
  caller text, process text, entries text, expires_ts integer, saved_ts integer,
  primary key (caller, process)
);
create table payments (
  payment_id text, nonce_key text, network text, asset text, payer text, nonce text, pay_to text,
  amount text, route text, request text, response text null, state text,
  transaction_hash text null, reason text null,
  valid_before integer, payload text, created_ts integer, updated_ts integer,
  primary key (payment_id), unique (nonce_key)
);
create index payments_by_state on payments (state, updated_ts);
create index payments_by_time on payments (created_ts, payment_id);

-- A receiver is a webhook or a chat. One table, so that one queue delivers to all of them.
create table webhooks (
  webhook_id text, key_id text, url text, secret text, created_ts integer,
  disabled_ts integer null, kind text, label text, link_code text null,
  link_expires_ts integer null,
  primary key (webhook_id)
);
create index webhooks_by_key on webhooks (key_id);
create index webhooks_linking on webhooks (link_code) where link_code is not null;
create table webhook_deliveries (
  delivery_id text, webhook_id text, topic text, body text, attempts integer,
  next_attempt_ts integer null, status text, last_response text null, created_ts integer,
  updated_ts integer,
  primary key (delivery_id)
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_ts) where status = 'pending';
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, created_ts);
create index webhook_deliveries_by_age on webhook_deliveries (updated_ts);
create table rules (
  rule_id text, key_id text, kind text, account_id text null, event_id integer null,
  threshold real null, channel_ids text, quiet text null, most_per_hour integer,
  created_ts integer,
  primary key (rule_id)
);
create index rules_by_key on rules (key_id);
create table rules_revision (id integer, revision integer, primary key (id));
create table notices (
  notice_id text, key_id text, kind text, what text, account_id text null, event_id integer null,
  title text, body text, link text, data text, rule_ids text, happened_ts integer,
  created_ts integer, due_ts integer null,
  primary key (notice_id)
);
create index notices_by_key on notices (key_id, created_ts, notice_id);
create index notices_by_age on notices (created_ts);
create index notices_due on notices (due_ts);
create table watch_marks (account_id text, mark text, primary key (account_id));

create table cursors (name text, value text, primary key (name));
create table snapshots (name text, version integer, body text, primary key (name));
-- What was observed since an account's last whole snapshot.
create table observations (
  name text, version integer, ts integer, body text,
  primary key (name, version)
);
create table leadership (id integer, epoch integer, primary key (id));
insert into leadership (id, epoch) values (1, 0);
create table health_probe (id integer, beat integer, primary key (id));
insert into health_probe (id, beat) values (1, 0);
-- Whether the simulator or live sources filled the store.
create table store_origin (id integer, origin text, primary key (id));
insert into schema_version (version) values (${SCHEMA_VERSION});
`;

export const TABLE_NAMES = [...TABLES.matchAll(/^create table (\w+)/gm)].map(([, name]) => name!);

const TYPES: Record<EngineName, Readonly<Record<string, string>>> = {
  sqlite: { integer: 'integer', real: 'real', text: 'text', blob: 'blob' },
  postgres: { integer: 'bigint', real: 'double precision', text: 'text collate "C"', blob: 'bytea' },
};

/** Text after the closing parenthesis of a table. */
const ENDS: Record<EngineName, { table: string; history: string }> = {
  sqlite: { table: ') strict;', history: ') strict, without rowid;' },
  // One partition per month, created when the first quote of the month arrives.
  postgres: { table: ');', history: ') partition by range (observed_ts);' },
};

/**
 * Snapshots are half a megabyte and written after every change. PostgreSQL's default compression costs more
 * than all other writes together; LZ4 is several times faster. Servers built without LZ4 keep the default.
 */
const POSTGRES_ONLY = `
do $$ begin
  if exists (
    select from pg_settings where name = 'default_toast_compression' and 'lz4' = any(enumvals)
  ) then
    alter table snapshots alter column body set compression lz4;
  end if;
end $$;
-- The content is compressed already.
alter table venue_past alter column content set storage external;
-- By session: a standby ends the session of a leader that is stuck.
create table ingest_heartbeats (pid bigint not null primary key, beaten_at timestamptz not null);
`;

/** Several statements in one text, for one transaction. */
export function createSchema(engine: EngineName): string {
  const { table, history } = ENDS[engine];
  const types = TYPES[engine];
  const text = TABLES.replaceAll(
    /(\w+) (integer|real|text|blob)( null)?(?=[,)])/g,
    (_, name, type, isNullable) => `${name} ${types[type]}${isNullable ? '' : ' not null'}`,
  )
    .replaceAll(') HISTORY;', history)
    .replaceAll(/^(create table .*)\);$|^\);$/gm, (_, line = '') => `${line}${table}`);
  return engine === 'postgres' ? text + POSTGRES_ONLY : text;
}
