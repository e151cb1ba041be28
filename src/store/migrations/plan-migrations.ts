// Selects the migrations that a database still needs; refuses a database newer than this build.

import { StoreError } from '../../runtime/errors.ts';
import type { Migration } from './migration.ts';

export const VERSION_TABLE = `create table if not exists schema_version (
  version bigint not null primary key,
  name text not null,
  applied_ts bigint not null
)`;

export function planMigrations(currentVersion: number, migrations: readonly Migration[]): Migration[] {
  const newestKnown = migrations.at(-1)?.version ?? 0;
  if (currentVersion > newestKnown) {
    throw new StoreError(
      `the database has schema version ${currentVersion}, this build knows versions up to ${newestKnown}: ` +
        'start a newer build of the service, or restore a backup made before the upgrade',
      { isRetryable: false },
    );
  }
  return migrations.filter((migration) => migration.version > currentVersion);
}
