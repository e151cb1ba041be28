// Adds and removes an account of the whole service on the simulator.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BootedService, bootService, waitUntil } from '../support/boot.ts';
import { makeTempFolder } from '../support/temp-store.ts';

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
