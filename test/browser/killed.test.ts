// The page while its service is killed with -9 and started again at the same address: a process of its own.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { systemClock } from '../../src/runtime/clock.ts';
import { startWorldServer } from '../../src/world/server.ts';
import { createWorld, type World } from '../../src/world/world.ts';
import { type ChildService, startService } from '../roles/child-service.ts';
import { youngAnchorTs } from '../support/boot.ts';
import { closeBrowser, findLineUp, openBrowser, visit } from './browser.ts';
import { buildPageIfMissing } from './service.ts';

describe('a page whose service is killed', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-killed-'));
  let browser: Browser;
  let world: World;
  let worldServer: Awaited<ReturnType<typeof startWorldServer>>;
  let service: ChildService;

  const start = (port: string) =>
    startService({
      name: 'killed',
      args: [],
      env: { PORT: port, DATA_DIR: dataDir, WORLD_URL: worldServer.urls.base, LOG_LEVEL: 'warn' },
    });

  before(async () => {
    buildPageIfMissing();
    world = createWorld({ seed: 16, anchorTs: youngAnchorTs(), clock: systemClock, faults: [] });
    worldServer = await startWorldServer(world);
    [browser, service] = await Promise.all([openBrowser(), start('0')]);
  });
  after(async () => {
    closeBrowser();
    await service?.stop();
    await worldServer?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('says so, comes back by itself and shows what was posted meanwhile, once', async () => {
    const url = service.url!;
    const { page, close } = await visit(browser, { url, keyOf: () => null });
    await page.locator('.post').first().waitFor();
    await findLineUp(page).waitFor();
    const ended = once(service.child, 'exit');
    service.kill('SIGKILL');
    await ended;
    await page.locator('.notice', { hasText: 'Account A: no connection.' }).waitFor();
    const { id } = world.injectPost({ accountId: 'a' });
    service = await start(new URL(url).port);
    await findLineUp(page).waitFor();
    await page.locator(`[data-post="${id}"]`).waitFor();
    await page
      .locator('.notice p', {
        hasText: /Account A: back .*now shown: [1-9]\d* posts?, count up by [1-9]\d*\.$/,
      })
      .waitFor();
    const ids = await page
      .locator('.post')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-post')));
    assert.equal(new Set(ids).size, ids.length);
    await close();
  });
});
