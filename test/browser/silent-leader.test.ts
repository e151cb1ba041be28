// The page and the health of a replica while the only ingest process is dead, and after it was replaced.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Fleet, startFleet } from '../roles/fleet.ts';
import { waitUntil } from '../support/boot.ts';
import { closeBrowser, findLineUp, openBrowser, visit } from './browser.ts';
import { buildPageIfMissing } from './service.ts';

/** Elements that a trader would act on. */
const ACTED_ON = ['.to-do', '.ladder-panel', '.feeds'];
/** An age of 5 s makes data outdated; the rest is for a slow machine. */
const NOTICED_WITHIN_MS = 60_000;

describe('a replica without a leader', () => {
  let browser: Browser;
  let fleet: Fleet;
  before(async () => {
    buildPageIfMissing();
    [browser, fleet] = await Promise.all([openBrowser(), startFleet({ ingests: 1, apis: 1 })]);
  });
  after(async () => {
    closeBrowser();
    await fleet?.stop();
  });

  it('reports degraded health and greys out its page within a minute, until there is a leader again', async () => {
    const url = fleet.apis[0]!.url!;
    const { page, close } = await visit(browser, { url, keyOf: () => fleet.key }, { tier: 'INTERNAL' });
    await findLineUp(page).waitFor();
    for (const place of ACTED_ON) await page.locator(place).first().waitFor();
    await waitForGrey(page, false);
    const [dead] = fleet.ingests;
    dead!.kill('SIGKILL');
    const diedMs = performance.now();
    await waitUntil(async () =>
      (await readProblems(url)).some((text) => /^no new data from the ingest process/.test(text)),
    );
    await waitForGrey(page, true);
    assert.ok(performance.now() - diedMs < NOTICED_WITHIN_MS);
    await fleet.replaceIngest(dead!);
    await waitForGrey(page, false);
    await close();
  });
});

async function readProblems(url: string): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/health`);
  return ((await response.json()) as { problems: string[] }).problems;
}

async function waitForGrey(page: Page, isGrey: boolean): Promise<void> {
  await page.waitForFunction(
    ({ places, grey }) =>
      places.every((place) => (getComputedStyle(document.querySelector(place)!).filter !== 'none') === grey),
    { places: ACTED_ON, grey: isGrey },
  );
}
