// Prices and trades of past events, as the venue keeps them: one packed row per event and kind.

import type { Migration } from './migration.ts';

export const venuePast: Migration = {
  version: 17,
  name: 'venue past',
  statements: ({ engine, integer, key, bytes, tableEnd }) => [
    `create table if not exists venue_past (
      event_id ${integer} not null,
      kind ${key} not null,
      read_ts ${integer} not null,
      until_ts ${integer} not null,
      is_whole ${integer} not null,
      content ${bytes} not null,
      primary key (event_id, kind)
    )${tableEnd}`,
    // The content is compressed already.
    ...(engine === 'postgres' ? ['alter table venue_past alter column content set storage external'] : []),
  ],
};
