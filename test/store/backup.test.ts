// Backups of both engines, and the way from SQLite to PostgreSQL.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { backUp } from '../../src/store/backup.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';
import { runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { createPlace, type StorePlace } from './engines.ts';
import { describeContent, fillStore } from './fill.ts';
import { sampleEntry } from './samples.ts';

let from: StorePlace;
let store: Store;
let file: string;
before(async () => {
  from = await createPlace('sqlite');
  store = await from.open();
  await fillStore(store);
  file = join(from.options.dataDir, 'backup.sqlite');
});
after(() => from.clear());

const run = (env: Record<string, string>, ...args: string[]) =>
  runCommand(args, { DATABASE_URL: '', DATA_DIR: from.options.dataDir, ...env });

describe('a backup', () => {
  it('of SQLite is a store with everything in it, for its owner only', async () => {
    assert.equal((await run({}, 'backup', file)).code, 0);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const dataDir = makeTempFolder('restored');
    writeFileSync(join(dataDir, 'tallycast.sqlite'), readFileSync(file));
    const restored = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
    assert.deepEqual(await describeContent(restored), await describeContent(store));
    await restored.close();
  });

  it('replaces a file only if forced', async () => {
    const again = await run({}, 'backup', file);
    assert.equal(again.code, 2);
    assert.match(again.err, /already exists; pass --force/);
    assert.equal((await run({}, 'backup', file, '--force')).code, 0);
  });

  it('of PostgreSQL is made by pg_dump, which gets the password in its environment', async () => {
    const bin = makeTempFolder('bin');
    const program = '#!/bin/sh\nprintf "%s %s" "$*" "$PGPASSWORD" > "$(echo "$2" | cut -c 8-)"\n';
    writeFileSync(join(bin, 'pg_dump'), program);
    chmodSync(join(bin, 'pg_dump'), 0o755);
    const dump = join(from.options.dataDir, 'backup.dump');
    const options = { dataDir: '', databaseUrl: 'postgres://user:s%40cret@host/db', force: false };
    await backUp(dump, { ...options, env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } });
    const nowhere = { ...options, env: { PATH: '/nowhere' } };
    await assert.rejects(backUp(`${dump}2`, nowhere), /pg_dump was not found/);
    const text = readFileSync(dump, 'utf8');
    assert.equal(text, `--format=custom --file=${dump}.partial postgres://user@host/db s@cret`);
    assert.equal(statSync(dump).mode & 0o777, 0o600);
    assert.equal(existsSync(`${dump}2.partial`), false);
  });
});

describe('a transfer to PostgreSQL', () => {
  let to: StorePlace;
  let env: { DATABASE_URL: string };
  before(async () => {
    to = await createPlace('postgres');
    env = { DATABASE_URL: to.options.databaseUrl! };
  });
  after(() => to.clear());

  it('changes nothing if a row cannot be copied', async () => {
    const broken = join(makeTempFolder('broken'), 'broken.sqlite');
    writeFileSync(broken, readFileSync(file));
    const database = new DatabaseSync(broken);
    database.exec("alter table rules add column more text; update rules set more = 'x'");
    database.close();
    assert.notEqual((await run(env, 'transfer', broken)).code, 0);
    assert.equal(await (await to.open()).posts.count('a'), 0);
  });

  it('copies everything, and only into an empty database', async () => {
    const moved = await run(env, 'transfer', file);
    assert.equal(moved.code, 0, moved.err);
    assert.match(moved.err, /^posts: 2500 rows$/m);
    const target = await to.open();
    assert.deepEqual(await describeContent(target), await describeContent(store));
    const next = await target.waitlist.register(sampleEntry({ email: 'next@example.test' }));
    assert.deepEqual(next, { position: 2, isNew: true });
    const again = await run(env, 'transfer', file);
    assert.equal(again.code, 2);
    assert.match(again.err, /the database already has posts; choose an empty one/);
  });

  it('refuses a file that is not a store', async () => {
    const folder = makeTempFolder('notes');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'empty.sqlite'), '');
    assert.match((await run(env, 'transfer', join(folder, 'empty.sqlite'))).err, /is not a store/);
    assert.match((await run(env, 'transfer', join(folder, 'gone'))).err, /there is no file/);
    assert.match((await run({}, 'transfer', file)).err, /DATABASE_URL/);
  });
});
