// Observations and results: posts, counts, events, quotes, forecasts and scores.

import type { ColumnTypes, Migration } from './migration.ts';

export const observations: Migration = {
  version: 1,
  name: 'observations',
  statements: (types) => [...posts(types), ...counts(types), ...markets(types), ...forecasts(types)],
};

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
      primary key (account_id, post_id),
      unique (account_id, root_post_id)
    )${tableEnd}`,
    // Covers the columns the model reads, so that reading tens of thousands of rows skips the table.
    'create index posts_by_time on posts (account_id, created_ts, post_id, is_counted)',
    'create index posts_by_capture on posts (account_id, first_seen_ts)',
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

function markets(types: ColumnTypes): string[] {
  const { engine, integer, key, text, tableEnd } = types;
  // One partition per month on PostgreSQL, created when the first quote of the month arrives.
  const quotesEnd = engine === 'postgres' ? ' partition by range (observed_ts)' : ' strict, without rowid';
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
      buckets ${text} not null
    )${tableEnd}`,
    'create index events_by_end on events (account_id, end_ts)',
    `create table quotes (${quoteColumns(types)}, primary key (token_id, observed_ts))${quotesEnd}`,
    `create table quotes_latest (${quoteColumns(types)}, primary key (token_id))${tableEnd}`,
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

function quoteColumns({ integer, real, key }: ColumnTypes): string {
  return `
      token_id ${key} not null,
      observed_ts ${integer} not null,
      bid ${real},
      ask ${real},
      bid_shares ${real},
      ask_shares ${real},
      last_trade_price ${real}`;
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
      primary key (event_id, horizon_h, bucket_label, strategy)
    )${tableEnd}`,
    `create table annotations (
      ts ${integer} not null,
      label ${key} not null,
      build_commit ${key} not null,
      primary key (ts, label, build_commit)
    )${tableEnd}`,
  ];
}
