// Every store suite runs on every engine, each test on a fresh, real database.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { TABLE_NAMES } from '../../src/store/create-schema.ts';
import type { OpenStoreOptions } from '../../src/store/open-store.ts';
import { openStore, SQLITE_FILE_NAME } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';
import { createDatabase, runSql } from '../support/postgres.ts';

export const ENGINE_NAMES = ['sqlite', 'postgres'] as const;
export type EngineUnderTest = (typeof ENGINE_NAMES)[number];

/** A store that can be opened as often as needed and then removed. */
export interface StorePlace {
  options: OpenStoreOptions;
  open(): Promise<Store>;
  /** Ends every session on the database, like a server restart. PostgreSQL only. */
  endConnections(): Promise<void>;
  clear(): Promise<void>;
}

export async function createPlace(engine: EngineUnderTest): Promise<StorePlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-store-'));
  const database = engine === 'postgres' ? await createDatabase() : null;
  const options = {
    dataDir,
    databaseUrl: database?.url,
    clock: systemClock,
    logger: silentLogger,
    poolSize: 4,
  };
  const stores: Store[] = [];
  return {
    options,
    async open() {
      const store = await openStore(options);
      stores.push(store);
      return store;
    },
    endConnections: () =>
      runSql(
        database!.url,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      ),
    async clear() {
      for (const store of stores) await store.close();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type StoreTest = (store: Store, place: StorePlace) => Promise<void>;
export type DeclareTests = (test: (name: string, run: StoreTest) => void, engine: EngineUnderTest) => void;

/** Declares a suite once per engine; its tests share a store that is emptied before each. */
export function describeStore(subject: string, declare: DeclareTests): void {
  for (const engine of ENGINE_NAMES) {
    describe(`${subject} on ${engine}`, () => {
      let place: StorePlace;
      let store: Store;
      before(async () => {
        place = await createPlace(engine);
        store = await place.open();
      });
      after(() => place.clear());
      declare((name, run) => {
        it(name, async () => {
          await emptyTables(place);
          await run(store, place);
        });
      }, engine);
    });
  }
}

/** Gives each test its own store, for tests that change more than rows, such as leadership or restore. */
export function describeFreshStore(subject: string, declare: DeclareTests): void {
  for (const engine of ENGINE_NAMES) {
    describe(`${subject} on ${engine}`, () => {
      declare((name, run) => {
        it(name, async () => {
          const place = await createPlace(engine);
          try {
            await run(await place.open(), place);
          } finally {
            await place.clear();
          }
        });
      }, engine);
    });
  }
}

const KEPT = ['schema_version', 'leadership', 'health_probe', 'waitlist_counter'];

async function emptyTables(place: StorePlace): Promise<void> {
  const deletions = TABLE_NAMES.filter((table) => !KEPT.includes(table)).map(
    (table) => `delete from ${table};`,
  );
  await execute(place, `begin; ${deletions.join(' ')} update waitlist_counter set last_position = 0; commit`);
}

/** Runs SQL beside the store. */
export async function execute({ options }: StorePlace, text: string): Promise<void> {
  if (options.databaseUrl) return runSql(options.databaseUrl, text);
  const database = new DatabaseSync(join(options.dataDir, SQLITE_FILE_NAME), { timeout: 5_000 });
  database.exec(text);
  database.close();
}
