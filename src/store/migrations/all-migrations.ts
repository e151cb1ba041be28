// All migrations, in order. Never edit a released migration; add a new one.

import { StoreError } from '../../runtime/errors.ts';
import { topicsAsRules } from './0016-topics-as-rules.ts';
import { venuePast } from './0017-venue-past.ts';
import { rulesUnderTest } from './0018-rules-under-test.ts';
import { happenings } from './0019-happenings.ts';
import { base } from './base.ts';
import type { Migration } from './migration.ts';

export const ALL_MIGRATIONS: readonly Migration[] = [
  base,
  topicsAsRules,
  venuePast,
  rulesUnderTest,
  happenings,
];

export const OLDEST_VERSION = base.version;

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
