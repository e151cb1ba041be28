// The whole service on the pretend world with one, two and five accounts from the configuration file alone; an account
// that comes later, and one that goes.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readAccountList } from '../../src/config/read-accounts.ts';
import { ENGINE_NAMES } from '../store/engines.ts';
import { type BootedService, bootService } from '../support/boot.ts';
import { createDatabase } from '../support/postgres.ts';
import { LISTS } from './accounts.ts';
import { checkWhatIsTold } from './check-account.ts';

const countPosts = ({ app }: BootedService, accountId: string) => app.store.posts.count(accountId);

for (const engine of ENGINE_NAMES) {
  for (const [name, accounts] of Object.entries(LISTS)) {
    it(`${name} on ${engine}: the service finds events and posts of every account`, async () => {
      const database = engine === 'postgres' ? await createDatabase() : null;
      const service = await bootService({ accounts, env: database ? { DATABASE_URL: database.url } : {} });
      try {
        await checkWhatIsTold(service, readAccountList(accounts));
        for (const { segment } of readAccountList(accounts)) {
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
}

describe('an account that comes later, and one that goes', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-accounts-'));
  const boot = (...ids: string[]) => bootService({ dataDir, accounts: ids.map((id) => ({ id })) });
  let service: BootedService;
  let postsOfA = 0;
  before(async () => {
    service = await boot('a');
    postsOfA = await countPosts(service, 'a');
    await service.stop();
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it('back-fills the newcomer and leaves the others their history', async () => {
    service = await boot('a', 'c');
    assert.ok((await countPosts(service, 'a')) >= postsOfA);
    assert.ok((await countPosts(service, 'c')) > 100);
    assert.notEqual(await service.app.store.cursors.find('backfill:c'), undefined);
    await service.stop();
  });

  it('keeps the rows of one that is no longer followed', async () => {
    service = await boot('c');
    assert.ok((await countPosts(service, 'a')) >= postsOfA);
    assert.equal((await fetch(`${service.url}/api/v1/meta/account_a`)).status, 404);
    assert.equal((await fetch(`${service.url}/api/v1/meta/account_c`)).status, 200);
    await service.stop();
  });
});
