// The page while its service is frozen, as by a full disk or a stopped container, and thawed.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startSimulatorServer } from '../../lab/simulator/server.ts';
import { createSimulator } from '../../lab/simulator/simulator.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type ChildService, startService } from '../roles/child-service.ts';
import { youngAnchorTs } from '../support/boot.ts';
import { closeBrowser, findLineUp, openBrowser, visit } from './browser.ts';
import { buildPageIfMissing } from './service.ts';

/** What a trader would act on. */
const ACTED_ON = ['.to-do', '.ladder-panel', '.feeds'];
const GREY_WITHIN_MS = 5_000;
/** Long enough for the page to count, short of its giving up on the connection. */
const FROZEN_UNTIL_S = 9;

describe('a page whose service is frozen', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-frozen-'));
  let browser: Browser;
  let simulatorServer: Awaited<ReturnType<typeof startSimulatorServer>>;
  let service: ChildService;

  before(async () => {
    buildPageIfMissing();
    const simulator = createSimulator({
      seed: 16,
      anchorTs: youngAnchorTs(),
      clock: systemClock,
      faults: [],
    });
    simulatorServer = await startSimulatorServer(simulator);
    const env = { PORT: '0', DATA_DIR: dataDir, SIMULATOR_URL: simulatorServer.urls.base, LOG_LEVEL: 'warn' };
    [browser, service] = await Promise.all([openBrowser(), startService({ name: 'frozen', args: [], env })]);
  });
  after(async () => {
    closeBrowser();
    await service?.stop();
    await simulatorServer?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('greys advice, prices and feeds within 5 s, counts the seconds, and says how long it was', async () => {
    const { page, close } = await visit(browser, { url: service.url!, keyOf: () => null });
    await page.getByRole('button', { name: 'Use the demonstration key' }).first().click();
    await findLineUp(page).waitFor();
    for (const place of ACTED_ON) await page.locator(place).first().waitFor();
    assert.deepEqual(await findGrey(page), []);

    const frozenTs = Date.now();
    service.kill('SIGSTOP');
    await page.locator('main[data-old]').waitFor({ timeout: GREY_WITHIN_MS });
    assert.deepEqual(await findGrey(page), ACTED_ON);
    assert.equal(await page.locator('.feeds', { hasText: 'live' }).count(), 0);
    await page.locator('.line-badge', { hasText: `No answer ${FROZEN_UNTIL_S} s` }).waitFor();

    service.kill('SIGCONT');
    const stoodStillS = (Date.now() - frozenTs) / 1000;
    const back = page.locator('.notice p', { hasText: /Account A: back after \d+ s\./ });
    await back.waitFor();
    const said = Number(/back after (\d+) s/.exec(await back.innerText())![1]);
    assert.ok(Math.abs(said - stoodStillS) <= 1.5, `said ${said} s, stood still ${stoodStillS} s`);
    await page.locator('main:not([data-old])').waitFor();
    assert.deepEqual(await findGrey(page), []);
    await close();
  });
});

function findGrey(page: Page): Promise<string[]> {
  return page.evaluate(
    (places) => places.filter((place) => getComputedStyle(document.querySelector(place)!).filter !== 'none'),
    ACTED_ON,
  );
}
