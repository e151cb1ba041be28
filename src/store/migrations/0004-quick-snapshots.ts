// Snapshots are half a megabyte and written after every change. PostgreSQL's default compression costs more
// than all other writes together; LZ4 is several times faster. Servers built without LZ4 keep the default.

import type { Migration } from './migration.ts';

const USE_LZ4 = `do $$ begin
  if exists (
    select from pg_settings where name = 'default_toast_compression' and 'lz4' = any(enumvals)
  ) then
    alter table snapshots alter column body set compression lz4;
  end if;
end $$`;

export const quickSnapshots: Migration = {
  version: 4,
  name: 'quick snapshots',
  statements: ({ engine }) => (engine === 'postgres' ? [USE_LZ4] : []),
};
