// Boots the whole service on the simulator with different account lists, and adds and removes an account.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAccountList } from '../../src/config/read-accounts.ts';
import { type BootedService, bootService, waitUntil } from '../support/boot.ts';
import { createDatabase } from '../support/postgres.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { LISTS } from './accounts.ts';
import { checkAccountLists } from './check-account.ts';

const BOOTED = [
  ['one', 'sqlite'],
  ['five', 'postgres'],
] as const;

for (const [name, engine] of BOOTED) {
  it(`the service finds events and posts for every account in a list of ${name} on ${engine}`, async () => {
    const database = engine === 'postgres' ? await createDatabase() : null;
    const env: Record<string, string> = database ? { DATABASE_URL: database.url } : {};
    const service = await bootService({ accounts: LISTS[name], env });
    try {
      await checkAccountLists(service, readAccountList(LISTS[name]));
      for (const { segment } of readAccountList(LISTS[name])) {
        const response = await fetch(`${service.url}/api/v1/meta/${segment}`);
        const { data } = (await response.json()) as { data: { event_title: string }[] };
        assert.ok(data.length >= 2, segment);
      }
    } finally {
      await service.stop();
      await database?.drop();
    }
  });
}

describe('adding and removing an account', () => {
  const dataDir = makeTempFolder('accounts');
  let postsOfA = 0;

  /** Runs the service for these accounts until every backfill is complete. */
  async function during(ids: string[], look: (service: BootedService) => Promise<void>): Promise<void> {
    const service = await bootService({ dataDir, accounts: ids.map((id) => ({ id })) });
    const isIn = async (id: string) => (await service.app.store.cursors.find(`backfill:${id}`)) !== undefined;
    try {
      await waitUntil(async () => (await Promise.all(ids.map(isIn))).every(Boolean));
      await look(service);
    } finally {
      await service.stop();
    }
  }

  const countPosts = ({ app }: BootedService, accountId: string) => app.store.posts.count(accountId);
  const statusOf = async ({ url }: BootedService, path: string) =>
    (await fetch(`${url}/api/v1${path}`)).status;

  it("backfills the new account and leaves the others' history unchanged", async () => {
    await during(['a'], async (service) => {
      postsOfA = await countPosts(service, 'a');
      assert.equal(await statusOf(service, '/meta/account_c'), 404);
    });
    await during(['a', 'c'], async (service) => {
      assert.ok((await countPosts(service, 'a')) >= postsOfA && postsOfA > 100);
      assert.ok((await countPosts(service, 'c')) > 100);
      assert.equal(await statusOf(service, '/meta/account_c'), 200);
    });
  });

  it('keeps the rows of the removed account', async () => {
    await during(['c'], async (service) => {
      assert.ok((await countPosts(service, 'a')) >= postsOfA && postsOfA > 100);
      assert.equal(await statusOf(service, '/meta/account_a'), 404);
      assert.equal(await statusOf(service, '/meta/account_c'), 200);
    });
  });
});
