// The page while its service, a separate process, is killed with -9 and restarted at the same address.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type ChildService, startService } from '../roles/child-service.ts';
import { youngAnchorTs } from '../support/boot.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { closeBrowser, findLineUp, openBrowser, visit } from './browser.ts';
import { buildPageIfMissing } from './service.ts';

describe('the page of a killed service', () => {
  const dataDir = makeTempFolder('killed');
  let browser: Browser;
  let simulator: Simulator;
  let simulatorServer: Awaited<ReturnType<typeof startSimulatorServer>>;
  let service: ChildService;

  const start = (port: string) =>
    startService({
      name: 'killed',
      args: [],
      env: { PORT: port, DATA_DIR: dataDir, SIMULATOR_URL: simulatorServer.urls.base, LOG_LEVEL: 'warn' },
    });

  before(async () => {
    buildPageIfMissing();
    simulator = createSimulator({ seed: 16, anchorTs: youngAnchorTs(), clock: systemClock, faults: [] });
    simulatorServer = await startSimulatorServer(simulator);
    [browser, service] = await Promise.all([openBrowser(), start('0')]);
  });
  after(async () => {
    closeBrowser();
    await service?.stop();
    await simulatorServer?.close();
  });

  it('reports the outage, reconnects automatically and shows missed posts once', async () => {
    const url = service.url!;
    const { page, close } = await visit(browser, { url, keyOf: () => null });
    await page.locator('.post').first().waitFor();
    await findLineUp(page).waitFor();
    const ended = once(service.child, 'exit');
    service.kill('SIGKILL');
    await ended;
    await page.locator('.notice', { hasText: 'Account A: no connection.' }).waitFor();
    const { id } = simulator.injectPost({ accountId: 'a' });
    service = await start(new URL(url).port);
    await findLineUp(page).waitFor();
    await page.locator(`[data-post="${id}"]`).waitFor();
    await page
      .locator('.notice p', {
        hasText: /Account A: back .*Caught up on [1-9]\d* posts?; the count rose by [1-9]\d*\.$/,
      })
      .waitFor();
    const ids = await page
      .locator('.post')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-post')));
    assert.equal(new Set(ids).size, ids.length);
    await close();
  });
});
