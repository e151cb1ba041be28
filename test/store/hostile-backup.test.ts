// Incomplete, foreign or malicious backup files are rejected with a message and leave the store unchanged.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError, StoreError } from '../../src/runtime/errors.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { toPlace } from '../../src/store/transfer/place.ts';
import { backUp, restore } from '../../src/store/transfer/transfer.ts';
import { describeFreshStore } from './engines.ts';
import { describeContent, fillStore } from './fill.ts';
import { START_TS, sampleEntry } from './samples.ts';

const options = { nowTs: START_TS, force: false, onProgress: () => {} };
const HEADER_BYTES = 100;

const HARM: readonly { what: string; sql: string; reported: RegExp }[] = [
  {
    what: 'a view instead of a table',
    sql: 'drop table posts; create view posts as with recursive n(i) as (select 1 union all select i from n) select i from n',
    reported: /view posts/,
  },
  {
    what: 'a trigger',
    sql: 'create trigger t after insert on schema_version begin delete from posts; end',
    reported: /trigger t/,
  },
  {
    what: 'a column that ends the statement',
    sql: 'alter table posts add column "x"") values (1); --" text',
    reported: /table posts/,
  },
  {
    what: 'a table without types',
    sql: 'drop table cursors; create table cursors (name, value)',
    reported: /cursors/,
  },
  { what: 'a missing table', sql: 'drop table webhooks', reported: /table webhooks is missing/ },
  {
    what: 'a newer schema',
    sql: "insert into schema_version values (9999, 'tomorrow', 1)",
    reported: /schema version 9999/,
  },
];

describeFreshStore('a hostile backup', (test) => {
  test('is rejected and changes nothing', async (store, place) => {
    await fillStore(store);
    const here = toPlace(place.options.databaseUrl, place.options.dataDir);
    const file = join(place.options.dataDir, 'whole.sqlite');
    await backUp(here, file, options);
    await store.waitlist.register(sampleEntry({ email: 'later@example.test' }));
    const before = await describeContent(store);
    const hostile = join(place.options.dataDir, 'hostile.sqlite');
    const refuses = async (what: string, reported = /damaged|not a backup|not what it makes|missing/) => {
      const isOurs = (error: unknown) => error instanceof StartError || error instanceof StoreError;
      await assert.rejects(restore(hostile, here, { ...options, force: true }), (error: Error) => {
        assert.ok(isOurs(error), `${what}: ${error.stack}`);
        assert.match(error.message, reported, what);
        return true;
      });
      assert.deepEqual(await describeContent(store), before, what);
    };

    const whole = readFileSync(file);
    for (const share of [0, 0.1, 0.5, 0.9, 0.999]) {
      copyFileSync(file, hostile);
      truncateSync(hostile, Math.floor(whole.length * share));
      await refuses(`cut to ${share}`);
    }
    for (const { what, sql, reported } of HARM) {
      copyFileSync(file, hostile);
      const database = new DatabaseSync(hostile);
      database.exec(sql);
      database.close();
      await refuses(what, reported);
    }
    writeFileSync(hostile, Buffer.concat([whole.subarray(0, HEADER_BYTES), Buffer.alloc(whole.length)]));
    await refuses('a header without data');
  });

  test('with random byte changes is either rejected or restored completely', async (store, place) => {
    await fillStore(store);
    const here = toPlace(place.options.databaseUrl, place.options.dataDir);
    const file = join(place.options.dataDir, 'whole.sqlite');
    await backUp(here, file, options);
    const random = createRandom(7);
    const whole = readFileSync(file);
    for (let round = 0; round < 25; round++) {
      const bytes = Buffer.from(whole);
      for (let i = 0; i < 40; i++) bytes[Math.floor(random.uniform() * bytes.length)] = random.uint32() & 255;
      writeFileSync(file, bytes);
      const outcome = await restore(file, here, { ...options, force: true }).catch((error: unknown) => error);
      const isTold = outcome instanceof StartError || outcome instanceof StoreError;
      assert.ok(Array.isArray(outcome) || isTold, String((outcome as Error).stack));
    }
  });
});
