import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { StartError, UsageError } from '../../src/runtime/errors.ts';
import { readColumns } from '../../src/store/sqlite/sqlite-tables.ts';
import type { TableWriter } from '../../src/store/table-copy.ts';
import { COPIED_TABLES, copyTables } from '../../src/store/table-copy.ts';
import { openReader, openWriter, toPlace } from '../../src/store/transfer/place.ts';
import { backUp, restore } from '../../src/store/transfer/transfer.ts';
import { runCommand } from '../support/run-command.ts';
import { createPlace, describeFreshStore, ENGINE_NAMES, type StorePlace } from './engines.ts';
import { describeContent, fillStore } from './fill.ts';
import { START_TS, sampleEntry, sampleKey } from './samples.ts';

const options = { nowTs: START_TS, force: false, onProgress: () => {} };
const never = new AbortController().signal;

function placeOf({ options: { databaseUrl, dataDir } }: StorePlace) {
  return toPlace(databaseUrl, dataDir);
}

describeFreshStore('backup and restore', (test) => {
  for (const target of ENGINE_NAMES) {
    test(`restore everything into ${target}`, async (store, place) => {
      await fillStore(store);
      const file = join(place.options.dataDir, 'backup.sqlite');
      await backUp(placeOf(place), file, options);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const other = await createPlace(target);
      try {
        const copied = await restore(file, placeOf(other), options);
        assert.ok(copied.every(({ table, rows }) => rows > 0 || assert.fail(`${table} is empty`)));
        const restored = await other.open();
        assert.deepEqual(await describeContent(restored), await describeContent(store));
        assert.deepEqual(await restored.waitlist.register(sampleEntry({ email: 'next@example.test' })), {
          position: 2,
          isNew: true,
        });
      } finally {
        await other.clear();
      }
    });
  }

  test('refuse to overwrite a file or a store unless forced', async (store, place) => {
    await fillStore(store);
    const file = join(place.options.dataDir, 'backup.sqlite');
    await backUp(placeOf(place), file, options);
    await assert.rejects(backUp(placeOf(place), file, options), UsageError);
    await assert.rejects(restore(file, placeOf(place), options), /already has data; pass --force/);
    await backUp(placeOf(place), file, { ...options, force: true });
  });

  test('roll a running service back to the backup, and make its leader step down', async (store, place) => {
    await fillStore(store);
    const before = await describeContent(store);
    const file = join(place.options.dataDir, 'backup.sqlite');
    await backUp(placeOf(place), file, options);
    await store.lead(never);
    await store.keys.insert(sampleKey({ keyId: 'later', digest: 'later' }));
    await store.cursors.put('posts:a', '6');
    await restore(file, placeOf(place), { ...options, force: true });
    assert.deepEqual(await describeContent(store), before);
    await assert.rejects(store.cursors.put('posts:a', '7'), /no longer the leader/);
  });

  test('accept a backup with columns added by an upgrade', async (store, place) => {
    await fillStore(store);
    const file = join(place.options.dataDir, 'backup.sqlite');
    await backUp(placeOf(place), file, options);
    const database = new DatabaseSync(file);
    database.exec('alter table events drop column terms; alter table events add column terms text');
    database.close();
    assert.ok((await restore(file, placeOf(place), { ...options, force: true })).length > 0);
  });

  test('reject a file that is not a backup', async (_store, place) => {
    const file = join(place.options.dataDir, 'notes.txt');
    writeFileSync(file, 'not a database');
    await assert.rejects(restore(file, placeOf(place), options), (error: Error) => {
      assert.match(error.message, /is not a backup/);
      // The command exits 1: only wrong usage exits 2.
      return error instanceof StartError;
    });
    await assert.rejects(restore(`${file}.gone`, placeOf(place), options), /there is no file/);
  });
});

describe('a move to PostgreSQL', () => {
  it('is rolled back if a row does not arrive intact', async () => {
    const from = await createPlace('sqlite');
    const to = await createPlace('postgres');
    try {
      await fillStore(await from.open());
      const target = await to.open();
      const source = await openReader(placeOf(from));
      const writer = await openWriter(placeOf(to));
      const lying: TableWriter = {
        ...writer,
        insert: (table, columns, rows) =>
          writer.insert(table, columns, table === 'posts' ? rows.slice(1) : rows),
      };
      const columnsOf = readColumns(join(from.options.dataDir, 'tallycast.sqlite'));
      await assert.rejects(
        copyTables({ source, target: lying, columnsOf, onProgress: () => {} }),
        /table posts does not match/,
      );
      await writer.close();
      await source.close();
      assert.equal(await target.posts.count('a'), 0);
    } finally {
      await from.clear();
      await to.clear();
    }
  });

  it('works from the command line, and fails on a target with data', async () => {
    const from = await createPlace('sqlite');
    const to = await createPlace('postgres');
    try {
      const store = await from.open();
      await fillStore(store);
      const file = join(from.options.dataDir, 'b.sqlite');
      const [there, here] = [{ DATABASE_URL: '' }, { DATABASE_URL: to.options.databaseUrl! }];
      const run = (env: Record<string, string>, ...args: string[]) =>
        runCommand(args, { DATA_DIR: from.options.dataDir, ...env });
      assert.equal((await run(there, 'backup', file)).code, 0);
      const moved = await run(here, 'restore', file);
      assert.match(moved.err, /100% checking/);
      assert.match(moved.err, new RegExp(`restored \\d+ rows in ${COPIED_TABLES.length} tables`));
      assert.deepEqual(await describeContent(await to.open()), await describeContent(store));
      const again = await run(here, 'restore', file);
      assert.equal(again.code, 2);
      assert.match(again.err, /pass --force to replace it/);
    } finally {
      await from.clear();
      await to.clear();
    }
  });
});
