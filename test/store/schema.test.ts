import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describeFreshStore, execute } from './engines.ts';
import { sampleKey } from './samples.ts';

describeFreshStore('the schema', (test, engine) => {
  test('is created once by several processes that start at the same time', async (_store, place) => {
    // SQLite starts in a new folder, PostgreSQL in an emptied database.
    if (engine === 'sqlite') place.options.dataDir = join(place.options.dataDir, 'fresh');
    else await execute(place, 'drop schema public cascade; create schema public');
    const stores = await Promise.all(Array.from({ length: 4 }, () => place.open()));
    await Promise.all(
      stores.map((store, i) => store.keys.insert(sampleKey({ keyId: `k${i}`, digest: `d${i}` }))),
    );
    assert.equal((await stores[0]!.keys.list()).length, 4);
  });

  for (const version of [22, 99])
    test(`of version ${version} is refused`, async (_store, place) => {
      await execute(place, `update schema_version set version = ${version}`);
      await assert.rejects(place.open(), {
        name: 'StoreError',
        isRetryable: false,
        message: new RegExp(`the store has schema version ${version}, this build needs`),
      });
    });
});
