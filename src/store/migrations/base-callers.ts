// Base schema: keys, waitlist, usage, payments, receivers of alerts, rules, alerts and allowances.

import type { ColumnTypes } from './migration.ts';

export function createCallers(types: ColumnTypes): string[] {
  return [people, usage, payments, receivers, rules].flatMap((create) => create(types));
}

function people({ integer, key, text, tableEnd }: ColumnTypes): string[] {
  return [
    `create table api_keys (
      key_id ${key} not null primary key,
      digest ${key} not null unique,
      tier ${text} not null,
      label ${text} not null,
      first_characters ${text} not null,
      last_characters ${text} not null,
      created_ts ${integer} not null,
      revoked_ts ${integer},
      expires_ts ${integer}
    )${tableEnd}`,
    'create index api_keys_by_revocation on api_keys (revoked_ts) where revoked_ts is not null',
    `create table waitlist (
      identity ${key} not null primary key,
      position ${integer} not null unique,
      type ${text} not null,
      use_case ${text} not null,
      name ${text},
      wallet ${text},
      email ${text},
      created_ts ${integer} not null
    )${tableEnd}`,
    `create table waitlist_counter (
      id ${integer} not null primary key,
      last_position ${integer} not null
    )${tableEnd}`,
    'insert into waitlist_counter (id, last_position) values (1, 0)',
  ];
}

function usage({ integer, real, key, text, tableEnd }: ColumnTypes): string[] {
  return [
    `create table usage (
      ts ${integer} not null,
      key_id ${key} not null,
      endpoint ${key} not null,
      method ${key} not null,
      status ${integer} not null,
      response_ms ${real} not null,
      bytes ${integer} not null,
      message ${text},
      requests ${integer} not null default 1
    )${tableEnd}`,
    'create index usage_by_key on usage (key_id, ts)',
    'create index usage_by_time on usage (ts)',
    'create index usage_errors on usage (key_id, ts) where status >= 400',
    // Long periods are read as a few thousand sums instead of millions of rows.
    `create table usage_hours (
      key_id ${key} not null,
      hour_ts ${integer} not null,
      endpoint ${key} not null,
      method ${key} not null,
      requests ${integer} not null,
      errors ${integer} not null,
      response_ms ${real} not null,
      bytes ${integer} not null,
      primary key (key_id, hour_ts, endpoint, method)
    )${tableEnd}`,
    `create table allowances (
      caller ${key} not null,
      process ${key} not null,
      entries ${text} not null,
      expires_ts ${integer} not null,
      saved_ts ${integer} not null,
      primary key (caller, process)
    )${tableEnd}`,
  ];
}

function payments({ integer, key, text, tableEnd }: ColumnTypes): string[] {
  return [
    `create table payments (
      payment_id ${key} not null primary key,
      nonce_key ${key} not null unique,
      network ${text} not null,
      asset ${text} not null,
      payer ${text} not null,
      nonce ${text} not null,
      pay_to ${text} not null,
      amount ${text} not null,
      route ${text} not null,
      request ${text} not null,
      response ${text},
      state ${key} not null,
      transaction_hash ${text},
      reason ${text},
      valid_before ${integer} not null,
      payload ${text} not null,
      created_ts ${integer} not null,
      updated_ts ${integer} not null
    )${tableEnd}`,
    'create index payments_by_state on payments (state, updated_ts)',
    'create index payments_by_time on payments (created_ts, payment_id)',
  ];
}

function receivers({ integer, key, text, tableEnd }: ColumnTypes): string[] {
  return [
    // A receiver is a webhook or a chat. One table, so that one queue delivers to all of them.
    `create table webhooks (
      webhook_id ${key} not null primary key,
      key_id ${key} not null,
      url ${text} not null,
      secret ${text} not null,
      created_ts ${integer} not null,
      disabled_ts ${integer},
      kind ${text} not null default 'webhook',
      label ${text} not null default '',
      link_code ${key},
      link_expires_ts ${integer}
    )${tableEnd}`,
    'create index webhooks_by_key on webhooks (key_id)',
    'create index webhooks_linking on webhooks (link_code) where link_code is not null',
    `create table webhook_deliveries (
      delivery_id ${key} not null primary key,
      webhook_id ${key} not null,
      topic ${text} not null,
      body ${text} not null,
      attempts ${integer} not null,
      next_attempt_ts ${integer},
      status ${key} not null,
      last_response ${text},
      created_ts ${integer} not null,
      updated_ts ${integer} not null
    )${tableEnd}`,
    "create index webhook_deliveries_due on webhook_deliveries (next_attempt_ts) where status = 'pending'",
    'create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, created_ts)',
    'create index webhook_deliveries_by_age on webhook_deliveries (updated_ts)',
  ];
}

function rules({ integer, real, key, text, tableEnd }: ColumnTypes): string[] {
  return [
    `create table rules (
      rule_id ${key} not null primary key,
      key_id ${key} not null,
      kind ${text} not null,
      account_id ${text},
      event_id ${integer},
      threshold ${real},
      channel_ids ${text} not null,
      quiet ${text},
      most_per_hour ${integer} not null,
      created_ts ${integer} not null
    )${tableEnd}`,
    'create index rules_by_key on rules (key_id)',
    `create table rules_revision (
      id ${integer} not null primary key,
      revision ${integer} not null
    )${tableEnd}`,
    `create table notices (
      notice_id ${key} not null primary key,
      key_id ${key} not null,
      kind ${text} not null,
      what ${text} not null,
      account_id ${text},
      event_id ${integer},
      title ${text} not null,
      body ${text} not null,
      link ${text} not null,
      data ${text} not null,
      rule_ids ${text} not null,
      happened_ts ${integer} not null,
      created_ts ${integer} not null,
      due_ts ${integer}
    )${tableEnd}`,
    'create index notices_by_key on notices (key_id, created_ts, notice_id)',
    'create index notices_by_age on notices (created_ts)',
    'create index notices_due on notices (due_ts)',
    `create table watch_marks (
      account_id ${key} not null primary key,
      mark ${text} not null
    )${tableEnd}`,
  ];
}
