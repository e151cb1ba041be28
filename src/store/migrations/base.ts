// The schema of release 1.5.0, which every store has at least.

import { createCallers } from './base-callers.ts';
import { createObservations } from './base-observations.ts';
import type { ColumnTypes, Migration } from './migration.ts';

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

/** Where the store's data comes from, and the key that this instance signs with. */
function createIdentity({ integer, key, text, tableEnd }: ColumnTypes): string[] {
  return [
    `create table store_origin (id ${integer} not null primary key, origin ${key} not null)${tableEnd}`,
    `create table instance_keys (
      id ${integer} not null primary key,
      public_key ${text} not null,
      private_key ${text} not null,
      created_ts ${integer} not null
    )${tableEnd}`,
  ];
}
