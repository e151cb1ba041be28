// Starts live sources on the data of a killed demo.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createDemoKey } from '../../src/access/demo-key.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type ChildService, startService } from '../roles/child-service.ts';
import { createPlace, ENGINE_NAMES, type StorePlace } from '../store/engines.ts';
import { writeYoungSimulator } from '../support/boot.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { type LocalServer, serve } from '../support/local-server.ts';

const SEED = 7;

function liveSettings(url: string): Record<string, string> {
  return {
    ...{ SOURCES: 'live', LOG_FORMAT: 'json', X_BEARER_TOKEN: 'token', MASTODON_BASE_URL: url },
    ...{ ACCOUNT_A_HANDLE: 'one', ACCOUNT_A_PLATFORM_USER_ID: '1', ACCOUNT_A_SERIES: 'one-posts' },
    ...{ ACCOUNT_B_HANDLE: 'two', ACCOUNT_B_PLATFORM_USER_ID: '2', ACCOUNT_B_SERIES: 'two-posts' },
    ...{ X_API_BASE_URL: url, ORACLE_BASE_URL: url, MARKET_GAMMA_BASE_URL: url },
    ...{ MARKET_CLOB_BASE_URL: url, MARKET_DATA_BASE_URL: url },
  };
}

/** Returns where the store is, before any service has started. */
function storeSettings({ options }: StorePlace): Record<string, string> {
  const { dataDir, databaseUrl } = options;
  return { DATA_DIR: dataDir, PORT: '0', ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
}

function startRefused(env: Record<string, string>): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/bin/tallycast.ts', 'start'], {
    encoding: 'utf8',
    timeout: 60_000,
    env: childEnvironment(env),
  });
  assert.equal(status, 1, stdout + stderr);
  return stderr;
}

async function fetchSignals({ url }: ChildService, key: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/signals`, { headers: { 'X-API-Key': key } });
  await response.body?.cancel();
  return response.status;
}

for (const engine of ENGINE_NAMES) {
  describe(`a ${engine} store used for both a demo and live sources`, { timeout: 180_000 }, () => {
    /** Live sources that never respond, so that everything served comes from the store. */
    let sources: LocalServer;
    let place: StorePlace;
    let service: ChildService | null = null;

    before(async () => {
      sources = await serve((_, response) => void response.writeHead(503).end());
    });
    beforeEach(async () => {
      place = await createPlace(engine);
    });
    afterEach(async () => {
      await service?.stop();
      await place.clear();
    });
    after(() => sources.close());

    async function start(env: Record<string, string>): Promise<ChildService> {
      service = await startService({ name: engine, args: [], env: { ...storeSettings(place), ...env } });
      return service;
    }

    it('is rejected for live sources after a killed demo, but opens for a demo again', async () => {
      writeYoungSimulator(place.options.dataDir, SEED);
      const demonstration = await start({ SIMULATOR_SEED: String(SEED) });
      const handed = await fetch(`${demonstration.url}/demo-key`, { method: 'POST' });
      const { data } = (await handed.json()) as { data: { key: string } };
      assert.equal(await fetchSignals(demonstration, data.key), 200);
      const ended = once(demonstration.child, 'exit');
      demonstration.kill('SIGKILL');
      await ended;
      const [subject, other] =
        engine === 'sqlite'
          ? [`DATA_DIR: ${place.options.dataDir}`, '--data-dir']
          : ['DATABASE_URL: this database', 'DATABASE_URL'];
      assert.equal(
        startRefused({ ...storeSettings(place), ...liveSettings(sources.url) }),
        `${subject} holds simulated data. Start live sources with another ${other}.\n`,
      );
      assert.equal(await fetchSignals(await start({ SIMULATOR_SEED: String(SEED) }), data.key), 401);
    });

    it('rejects a demo key from earlier when live', async () => {
      const store = await place.open();
      await store.origin.claim('live');
      const key = await createDemoKey(store.keys, systemClock).hand();
      assert.equal(await fetchSignals(await start(liveSettings(sources.url)), key), 401);
    });

    it('is rejected for the simulator once it is live, and left unchanged', async () => {
      await (await place.open()).origin.claim('live');
      assert.match(
        startRefused(storeSettings(place)),
        /^\S+: .* holds live data\. Start the simulator .*\n$/,
      );
      assert.ok(!existsSync(join(place.options.dataDir, 'world.json')));
    });
  });
}
