// All migrations, in order. Never edit a released migration; add a new one.

import { StoreError } from '../../runtime/errors.ts';
import { createCallers } from './base-callers.ts';
import { createObservations } from './base-observations.ts';
import type { ColumnTypes, Migration } from './migration.ts';

export const VERSION_TABLE = `create table if not exists schema_version (
  version bigint not null primary key,
  name text not null,
  applied_ts bigint not null
)`;

/** Selects the migrations that a database still needs; refuses one that is too old or newer than this build. */
export function planMigrations(currentVersion: number, migrations: readonly Migration[]): Migration[] {
  const newestKnown = migrations.at(-1)?.version ?? 0;
  if (currentVersion > newestKnown) {
    throw new StoreError(
      `the database has schema version ${currentVersion}, this build knows versions up to ${newestKnown}: ` +
        'start a newer build of the service, or restore a backup made before the upgrade',
      { isRetryable: false },
    );
  }
  if (currentVersion > 0 && currentVersion < OLDEST_VERSION) {
    throw new StoreError(
      `the database has schema version ${currentVersion}, this build upgrades from version ${OLDEST_VERSION}: ` +
        'start release 1.5.0 once, then this build',
      { isRetryable: false },
    );
  }
  return migrations.filter((migration) => migration.version > currentVersion);
}

// Prices of past events, as the venue keeps them: one packed row per event.

const venuePast: Migration = {
  version: 17,
  name: 'venue past',
  statements: ({ engine, integer, bytes, tableEnd }) => [
    `create table if not exists venue_past (
      event_id ${integer} not null primary key,
      read_ts ${integer} not null,
      until_ts ${integer} not null,
      is_whole ${integer} not null,
      content ${bytes} not null
    )${tableEnd}`,
    // The content is compressed already.
    ...(engine === 'postgres' ? ['alter table venue_past alter column content set storage external'] : []),
  ],
};

// Published advice, price jumps and counts that disagreed.

export const happenings: Migration = {
  version: 19,
  name: 'happenings',
  statements: ({ integer, key, text, tableEnd }) => [
    `create table if not exists happenings (
      account_id ${key} not null,
      event_id ${integer} not null,
      kind ${key} not null,
      bucket_label ${key} not null,
      from_ts ${integer} not null,
      ended_ts ${integer},
      changed_ts ${integer} not null,
      content ${text} not null,
      primary key (event_id, kind, bucket_label, from_ts)
    )${tableEnd}`,
    'create index if not exists happenings_by_change on happenings (account_id, changed_ts)',
    'create index if not exists happenings_by_start on happenings (account_id, kind, from_ts)',
  ],
};

// The schema of release 1.5.0, which every store has at least.

export const base: Migration = {
  version: 15,
  name: 'base',
  statements: (types) => [
    ...createObservations(types),
    ...createCallers(types),
    ...createCoordination(types),
    ...createIdentity(types),
  ],
};

/**
 * Snapshots are half a megabyte and written after every change. PostgreSQL's default compression costs more
 * than all other writes together; LZ4 is several times faster. Servers built without LZ4 keep the default.
 */
const USE_LZ4 = `do $$ begin
  if exists (
    select from pg_settings where name = 'default_toast_compression' and 'lz4' = any(enumvals)
  ) then
    alter table snapshots alter column body set compression lz4;
  end if;
end $$`;

/** Feed positions, published snapshots, leadership and write health. */
function createCoordination({ engine, integer, key, text, tableEnd }: ColumnTypes): string[] {
  return [
    `create table cursors (name ${key} not null primary key, value ${text} not null)${tableEnd}`,
    `create table snapshots (
      name ${key} not null primary key,
      version ${integer} not null,
      body ${text} not null
    )${tableEnd}`,
    `create table leadership (id ${integer} not null primary key, epoch ${integer} not null)${tableEnd}`,
    'insert into leadership (id, epoch) values (1, 0)',
    `create table health_probe (id ${integer} not null primary key, beat ${integer} not null)${tableEnd}`,
    'insert into health_probe (id, beat) values (1, 0)',
    // A separate table, because every observation locks the epoch's row and a heartbeat must not wait for it.
    ...(engine === 'postgres'
      ? [
          USE_LZ4,
          'create table leader_heartbeat (id bigint not null primary key, beaten_at timestamptz not null)',
          "insert into leader_heartbeat (id, beaten_at) values (1, '-infinity')",
        ]
      : []),
  ];
}

/** Where the store's data comes from. */
function createIdentity({ integer, key, tableEnd }: ColumnTypes): string[] {
  return [
    `create table store_origin (id ${integer} not null primary key, origin ${key} not null)${tableEnd}`,
  ];
}

/** What was observed since an account's last whole snapshot. */
const observations: Migration = {
  version: 20,
  name: 'observations',
  statements: ({ integer, key, text, tableEnd }) => [
    `create table if not exists observations (
      name ${key} not null,
      version ${integer} not null,
      ts ${integer} not null,
      body ${text} not null,
      primary key (name, version)
    )${tableEnd}`,
  ],
};

/** Heartbeats by session: a standby ends the session of a leader that is stuck. */
const heartbeats: Migration = {
  version: 21,
  name: 'heartbeats',
  statements: ({ engine }) =>
    engine === 'sqlite'
      ? []
      : [
          'drop table if exists leader_heartbeat',
          'create table if not exists ingest_heartbeats (pid bigint not null primary key, beaten_at timestamptz not null)',
        ],
};

/** Jobs of hundreds of accounts look for their own scores every minute. */
const scoresByAccount: Migration = {
  version: 22,
  name: 'scores-by-account',
  statements: () => ['create index if not exists scores_by_account on scores (account_id)'],
};

export const ALL_MIGRATIONS: readonly Migration[] = [
  base,
  venuePast,
  happenings,
  observations,
  heartbeats,
  scoresByAccount,
];

export const OLDEST_VERSION = base.version;
