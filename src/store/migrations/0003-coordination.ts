// Coordination between processes: feed positions, published snapshots, leadership, write health.

import type { Migration } from './migration.ts';

export const coordination: Migration = {
  version: 3,
  name: 'coordination',
  statements: ({ engine, integer, key, text, tableEnd }) => [
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
          'create table leader_heartbeat (id bigint not null primary key, beaten_at timestamptz not null)',
          "insert into leader_heartbeat (id, beaten_at) values (1, '-infinity')",
        ]
      : []),
  ],
};
