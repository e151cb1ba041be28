// Checks that a file is a valid backup: intact and with exactly our schema, so that nothing in it (a trigger,
// a view, an odd column name) can run or end up in a statement.

import { DatabaseSync } from 'node:sqlite';
import { errorMessage, StoreError, UsageError } from '../../runtime/errors.ts';
import { ALL_MIGRATIONS, OLDEST_VERSION } from '../migrations/all-migrations.ts';
import { migrateSqlite } from './sqlite-engine.ts';

/** Throws an error the operator can act on. `file` is the name to show, `path` the copy to check. */
export function checkBackup(file: string, path: string): void {
  // An unknown schema must not call functions with side effects during the check.
  const database = new DatabaseSync(path, { readOnly: true, enableDoubleQuotedStringLiterals: false });
  try {
    database.exec('pragma trusted_schema = off');
    const version = readVersion(database);
    checkSchema(database, version, file);
    const verdict = Object.values(database.prepare('pragma quick_check(1)').get() ?? {})[0];
    if (verdict !== 'ok') throw new UsageError(`${file} is damaged: ${verdict}; nothing was changed`);
  } catch (error) {
    if (error instanceof UsageError || error instanceof StoreError) throw error;
    throw new UsageError(`${file} is damaged: ${errorMessage(error)}; nothing was changed`);
  } finally {
    database.close();
  }
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare('select max(version) as version from schema_version').get()?.version);
}

/** Compares with the schema created by migrations up to its version; other versions fail in the migration. */
function checkSchema(database: DatabaseSync, version: number, file: string): void {
  if ((version > 0 && version < OLDEST_VERSION) || version > ALL_MIGRATIONS.at(-1)!.version) return;
  const model = new DatabaseSync(':memory:');
  try {
    migrateSqlite(
      model,
      0,
      ALL_MIGRATIONS.filter((migration) => migration.version <= version),
    );
    const [expected, found] = [readSchema(model), readSchema(database)];
    const odd = [...found.keys()].find((name) => found.get(name) !== expected.get(name));
    const missing = [...expected.keys()].find((name) => !found.has(name));
    if (odd !== undefined || missing !== undefined)
      throw new UsageError(
        `${file} is not a backup of this service: ${describe(odd, missing)}; nothing was changed`,
      );
  } finally {
    model.close();
  }
}

function describe(odd: string | undefined, missing: string | undefined): string {
  return odd === undefined
    ? `${missing} is missing`
    : `${JSON.stringify(odd.slice(0, 80))} is not part of its schema`;
}

function readSchema(database: DatabaseSync): Map<string, string> {
  const rows = database
    .prepare(
      "select type, name, coalesce(sql, '') as sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\'",
    )
    .all() as { type: string; name: string; sql: string }[];
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, withoutLayout(sql)]));
}

/** A column added later is on its predecessor's line. */
function withoutLayout(sql: string): string {
  return sql.replace(/\s+/g, ' ').replace(/ ?([(),]) ?/g, '$1');
}
