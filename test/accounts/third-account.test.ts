// A third account on the whole service (`--accounts 3`): commands, and a second process that only
// serves requests.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BootedService, bootService, waitUntil } from '../support/boot.ts';
import { createDatabase } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';

const THREE = ['--accounts', '3'];

// biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies freely
type Json = any;

describe('a third account', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let env: Record<string, string>;
  let service: BootedService;
  let key: string;
  before(async () => {
    database = await createDatabase();
    env = { DATABASE_URL: database.url };
    service = await bootService({ args: THREE, env });
    key = await service.issueKey('PRO');
  });
  after(async () => {
    await service?.stop();
    await database?.drop();
  });

  async function ask(url: string, path: string): Promise<Json> {
    return (await fetch(`${url}/api/v1${path}`, { headers: { 'X-API-Key': key } })).json();
  }
  const eventIds = async (url: string): Promise<number[]> =>
    (await ask(url, '/meta/account_c')).data?.map(({ event_id }: Json) => event_id) ?? [];

  it('can be selected by letter or name on the command line', async () => {
    for (const name of ['c', 'account_c']) {
      const env = { TALLYCAST_URL: service.url, TALLYCAST_KEY: key };
      const { code, out } = await runCommand(['events', '--account', name, '--json'], env);
      assert.equal(code, 0, out);
      const [only, ...others] = JSON.parse(out);
      assert.deepEqual(others, []);
      assert.deepEqual(
        only.data.map(({ event_id }: Json) => event_id),
        await eventIds(service.url),
      );
    }
  });

  it('is served identically by a second process that only serves requests', async () => {
    const args = [...THREE, '--role', 'api', '--simulator-url', service.app.simulator!.urls.base];
    const beside = await bootService({ args, env, until: 'started' });
    try {
      assert.notEqual(beside.url, service.url);
      // The first response may be incomplete.
      await waitUntil(async () => {
        const [there, here] = [await eventIds(beside.url), await eventIds(service.url)];
        return there.length > 0 && there.join() === here.join();
      });
    } finally {
      await beside.stop();
    }
    assert.ok((await eventIds(service.url)).length > 0);
  });
});
