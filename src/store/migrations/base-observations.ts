// Base schema: posts, counts, events, prices, forecasts, scores, signals, the forecast log and the archive.

import type { ColumnTypes } from './migration.ts';

export function createObservations(types: ColumnTypes): string[] {
  return [posts, counts, markets, quotes, forecasts, signals, seals, archive].flatMap((create) =>
    create(types),
  );
}

function posts({ integer, key, text, tableEnd }: ColumnTypes): string[] {
  return [
    `create table posts (
      account_id ${key} not null,
      post_id ${key} not null,
      root_post_id ${key} not null,
      created_ts ${integer} not null,
      first_seen_ts ${integer} not null,
      deleted_ts ${integer},
      is_counted ${integer} not null,
      is_reply ${integer} not null,
      is_quote ${integer} not null,
      is_retweet ${integer} not null,
      is_self_reply ${integer} not null,
      is_community ${integer} not null,
      text ${text},
      is_doubtful ${integer} not null default 0,
      first_source ${text},
      conversation ${text},
      primary key (account_id, post_id),
      unique (account_id, root_post_id)
    )${tableEnd}`,
    // Covers the columns the model reads, so that reading tens of thousands of rows skips the table.
    'create index posts_by_time on posts (account_id, created_ts, post_id, is_counted)',
    'create index posts_by_capture on posts (account_id, first_seen_ts)',
    // Few rows match, but every count reads them.
    'create index posts_doubtful on posts (account_id, created_ts) where is_doubtful = 1',
  ];
}

function counts({ integer, key, tableEnd }: ColumnTypes): string[] {
  return [
    `create table counts (
      event_id ${integer} not null,
      feed ${key} not null,
      seq ${integer} not null,
      count ${integer} not null,
      observed_ts ${integer} not null,
      primary key (event_id, feed, seq)
    )${tableEnd}`,
    `create table counts_latest (
      event_id ${integer} not null,
      feed ${key} not null,
      seq ${integer} not null,
      count ${integer} not null,
      confirmed_ts ${integer} not null,
      primary key (event_id, feed)
    )${tableEnd}`,
  ];
}

function markets({ integer, key, text, tableEnd }: ColumnTypes): string[] {
  return [
    `create table events (
      event_id ${integer} not null primary key,
      account_id ${key} not null,
      title ${text} not null,
      slug ${text} not null,
      image ${text} not null,
      start_ts ${integer} not null,
      end_ts ${integer} not null,
      is_closed ${integer} not null,
      buckets ${text} not null,
      terms ${text}
    )${tableEnd}`,
    'create index events_by_end on events (account_id, end_ts)',
    `create table settlements (
      event_id ${integer} not null,
      revision ${integer} not null,
      account_id ${key} not null,
      final_count ${integer} not null,
      winning_label ${text},
      source ${text} not null,
      settled_ts ${integer} not null,
      primary key (event_id, revision)
    )${tableEnd}`,
    'create index settlements_by_time on settlements (account_id, settled_ts)',
  ];
}

/** The history has short token numbers, because 77-digit ids would take most of a row. */
function quotes({ engine, integer, real, key, tableEnd }: ColumnTypes): string[] {
  // One partition per month on PostgreSQL, created when the first quote of the month arrives.
  const historyEnd = engine === 'postgres' ? ' partition by range (observed_ts)' : ' strict, without rowid';
  const columns = `
      observed_ts ${integer} not null,
      bid ${real},
      ask ${real},
      bid_shares ${real},
      ask_shares ${real},
      last_trade_price ${real}`;
  return [
    `create table "quotes" (
      token_no ${integer} not null,
      ${columns},
      primary key (token_no, observed_ts)
    )${historyEnd}`,
    `create table quotes_latest (
      token_id ${key} not null,
      ${columns},
      token_no ${integer},
      primary key (token_id)
    )${tableEnd}`,
    'create unique index quotes_latest_by_number on quotes_latest (token_no)',
  ];
}

function forecasts({ integer, real, key, text, bytes, tableEnd }: ColumnTypes): string[] {
  return [
    `create table forecasts (
      event_id ${integer} not null,
      asof_ts ${integer} not null,
      account_id ${key} not null,
      count_so_far ${integer} not null,
      p5 ${real} not null,
      p50 ${real} not null,
      p95 ${real} not null,
      law_from ${integer} not null,
      law ${bytes} not null,
      bucket_probabilities ${text} not null,
      market_prices ${text} not null,
      baselines ${text},
      baseline_laws ${bytes} not null,
      model_version ${text} not null,
      build_commit ${text} not null,
      primary key (event_id, asof_ts)
    )${tableEnd}`,
    'create index forecasts_by_time on forecasts (asof_ts)',
    `create table scores (
      event_id ${integer} not null,
      horizon_h ${integer} not null,
      account_id ${key} not null,
      end_ts ${integer} not null,
      final_count ${integer} not null,
      p50 ${real} not null,
      error_percent ${real} not null,
      crps ${real} not null,
      log_score ${real} not null,
      bucket_log_score ${real} not null,
      pit_low ${real} not null,
      pit_high ${real} not null,
      is_inside_50 ${integer} not null,
      is_inside_90 ${integer} not null,
      buckets ${text} not null,
      baselines ${text} not null,
      model_version ${text} not null,
      scored_ts ${integer} not null,
      primary key (event_id, horizon_h)
    )${tableEnd}`,
    'create index scores_by_end on scores (end_ts)',
  ];
}

function signals({ integer, real, key, text, bytes, tableEnd }: ColumnTypes): string[] {
  return [
    `create table signals (
      event_id ${integer} not null,
      horizon_h ${integer} not null,
      bucket_label ${key} not null,
      strategy ${key} not null,
      account_id ${key} not null,
      token_id ${key} not null,
      confidence ${text} not null,
      model_probability ${real} not null,
      market_price ${real} not null,
      cost_per_share ${real} not null,
      fee_per_share ${real} not null,
      shares ${real} not null,
      stake_usd ${real} not null,
      asof_ts ${integer} not null,
      won ${integer},
      pnl_usd ${real},
      closing_line_value ${real},
      settled_ts ${integer},
      edge_kind ${text},
      win_probability ${real},
      primary key (event_id, horizon_h, bucket_label, strategy)
    )${tableEnd}`,
    // Inputs to recorded signals, so that signals can be recomputed after prices are thinned.
    `create table signal_grounds (
      account_id ${key} not null,
      asof_ts ${integer} not null,
      content ${bytes} not null,
      primary key (account_id, asof_ts)
    )${tableEnd}`,
    `create table annotations (
      ts ${integer} not null,
      label ${key} not null,
      build_commit ${key} not null,
      primary key (ts, label, build_commit)
    )${tableEnd}`,
  ];
}

function seals({ integer, text, bytes, tableEnd }: ColumnTypes): string[] {
  return [
    `create table log_entries (
      seq ${integer} not null primary key,
      hour_ts ${integer} not null,
      entry ${text} not null
    )${tableEnd}`,
    `create table seals (
      hour_ts ${integer} not null primary key,
      first_seq ${integer} not null,
      size ${integer} not null,
      root ${text} not null,
      previous ${text} not null,
      chain ${text} not null,
      entries ${bytes} not null
    )${tableEnd}`,
    // One row: the next number, earliest open hour, newest chain hash and a digest of unsealed entries.
    `create table log_head (
      id ${integer} not null primary key,
      next_seq ${integer} not null,
      open_hour_ts ${integer} not null,
      chain ${text} not null,
      running ${text} not null
    )${tableEnd}`,
  ];
}

function archive({ integer, key, tableEnd }: ColumnTypes): string[] {
  return [
    `create table oracle_posts (
      account_id ${key} not null,
      post_id ${key} not null,
      created_ts ${integer} not null,
      imported_ts ${integer},
      listed_ts ${integer} not null,
      primary key (account_id, post_id)
    )${tableEnd}`,
    'create index oracle_posts_by_time on oracle_posts (account_id, created_ts)',
  ];
}
