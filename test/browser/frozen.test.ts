// The page while its service is frozen, e.g. by a full disk or a paused container, and after it resumes.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type ChildService, startService } from '../roles/child-service.ts';
import { youngAnchorTs } from '../support/boot.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { closeBrowser, findLineUp, openBrowser, visit } from './browser.ts';
import { buildPageIfMissing } from './service.ts';

/** Elements that a trader would act on. */
const ACTED_ON = ['.to-do', '.ladder-panel', '.feeds'];
const GREY_WITHIN_MS = 5_000;
/** Shorter and longer than the connection timeout. */
const STALLS_S = [9, 72];
const STEP_MS = 100;

describe('the page of a frozen service', () => {
  const dataDir = makeTempFolder('frozen');
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
  });

  for (const stallS of STALLS_S) {
    it(`greys out advice, prices and feeds within 5 s, counts the seconds, and recovers after ${stallS} s`, async () => {
      const { page, close } = await visit(browser, { url: service.url!, keyOf: () => null });
      await page.getByRole('button', { name: 'Use the demo key' }).first().click();
      // By now the key is stored and survives the reload.
      await page.locator('.to-do').waitFor();
      await page.clock.install();
      await page.reload();
      await findLineUp(page).waitFor();
      for (const place of ACTED_ON) await page.locator(place).first().waitFor();
      await waitForGrey(page, []);
      await noteGrey(page);

      // From here, the page's clock moves only in steps, even on a slow machine.
      service.kill('SIGSTOP');
      await holdClock(page);
      await stepUntil(page, async () => (await readLastHeard(page)) !== null);
      const greyTs = await page.evaluate(() => Number(document.body.dataset.greyTs));
      const heardTs = (await readLastHeard(page))!;
      assert.ok(greyTs - heardTs <= GREY_WITHIN_MS, `grey ${greyTs - heardTs} ms after the last message`);
      await waitForGrey(page, ACTED_ON);
      assert.equal(await page.locator('.feeds', { hasText: 'live' }).count(), 0);
      await page.clock.runFor(Math.max(1, heardTs + stallS * 1000 - (await readNow(page))));
      const counted = Number(/(\d+) s$/.exec(await page.locator('.line-badge').innerText())![1]);
      assert.ok(Math.abs(counted - stallS) <= 1, `counted ${counted} s of ${stallS} s`);

      service.kill('SIGCONT');
      await stepUntil(page, async () => (await readLastHeard(page)) === null);
      await waitForGrey(page, []);
      await page.clock.resume();
      await close();
    });
  }
});

/** Pauses the page's clock; retries if the clock is already past that time. */
async function holdClock(page: Page): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      await page.clock.pauseAt((await readNow(page)) + STEP_MS * 5);
      return;
    } catch (error) {
      if (!String(error).includes('past')) throw error;
    }
  }
  throw new Error('the page’s clock could not be paused');
}

/** Records the page time at which the page turned grey. */
function noteGrey(page: Page): Promise<void> {
  return page.evaluate(() => {
    const main = document.querySelector('main')!;
    new MutationObserver(() => {
      if (main.dataset.old) document.body.dataset.greyTs ??= String(Date.now());
    }).observe(main, { attributes: true, attributeFilter: ['data-old'] });
  });
}

function readNow(page: Page): Promise<number> {
  return page.evaluate(() => Date.now());
}

/** Returns when the last message arrived; null while the page is current. */
async function readLastHeard(page: Page): Promise<number | null> {
  const text = await page.locator('main').getAttribute('data-old');
  return text === null ? null : Number(text);
}

/** Steps the page's clock until the condition holds, and returns that page time. */
async function stepUntil(page: Page, holds: () => Promise<boolean>): Promise<number> {
  const deadlineTs = Date.now() + 120_000;
  while (!(await holds())) {
    if (Date.now() > deadlineTs) throw new Error('the page did not reach this state in 120 s');
    await page.clock.runFor(STEP_MS);
  }
  return readNow(page);
}

async function waitForGrey(page: Page, wanted: readonly string[]): Promise<void> {
  await page.waitForFunction(
    ({ places, grey }) =>
      places.every(
        (place) =>
          (getComputedStyle(document.querySelector(place)!).filter !== 'none') === grey.includes(place),
      ),
    { places: ACTED_ON, grey: wanted },
  );
}
