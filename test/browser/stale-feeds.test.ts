// Stale feeds at phone and desktop width: affected parts turn grey, advice stops, and the page says since when and
// what is still current. Which feeds stop which answer is in test/api/stale-feeds.test.ts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { FeedName } from '../../src/domain/feed.ts';
import { HOUR_MS } from '../../src/domain/units.ts';
import { createSnapshot, NOW_TS } from '../api/fixture.ts';
import { findFaults, isWithinWidth } from './browser.ts';
import { openDesk, SCREENS } from './still-service.ts';

const desk = openDesk();
let version = 1;

function makeStale(feeds: readonly FeedName[], isPastMissing = false): void {
  const at = (feed: FeedName) => (feeds.includes(feed) ? NOW_TS - HOUR_MS : NOW_TS);
  for (const accountId of ['a', 'b']) {
    const whole = createSnapshot(accountId, { version: ++version });
    desk.service.board.replace({
      ...whole,
      isPastMissing,
      feeds: whole.feeds.map((feed) => ({ ...feed, updatedTs: at(feed.feed) })),
      events: whole.events.map((state) => ({
        ...state,
        oracleUpdatedTs: at('oracle'),
        uiUpdatedTs: at('ui'),
        forecast: { ...state.forecast!, asofTs: at('forecast') },
      })),
    });
  }
}

const PARTS = {
  ladder: '.ladder-panel',
  facts: '.vitals .facts',
  chart: '.running .plot-host',
  own: '.counter[data-source="own"]',
  oracle: '.counter[data-source="oracle"]',
  ui: '.counter[data-source="ui"]',
};

async function listGrey(page: Page): Promise<string[]> {
  const areGrey = Object.values(PARTS).map((selector) =>
    page
      .locator(selector)
      .first()
      .evaluate(
        (part) => part.hasAttribute('data-stale') || getComputedStyle(part).filter.includes('grayscale'),
      ),
  );
  const found = await Promise.all(areGrey);
  return Object.keys(PARTS).filter((_, i) => found[i]);
}

/** Waits for the first account's notice with these words, and checks that there is no advice. */
async function expectBlind(page: Page, says: RegExp): Promise<void> {
  await page.locator('.notice-warn', { hasText: 'Account A' }).filter({ hasText: says }).waitFor();
  await page.locator('.to-do-none').first().waitFor();
  assert.equal(await page.locator('.to-do-row, .ladder tr[data-active]').count(), 0);
  assert.ok(await isWithinWidth(page));
}

for (const { name, ...screen } of SCREENS) {
  describe(`feeds at ${name}`, () => {
    it('grey out only what depends on them and stop advice while stale, and nothing after they recover', async () => {
      makeStale([]);
      await desk.onPage({ tier: 'PRO', ...screen }, async (page) => {
        const row = page.locator('.to-do-row').first();
        await row.waitFor();
        assert.deepEqual(await listGrey(page), []);
        makeStale(['own', 'prices']);
        await expectBlind(
          page,
          /Posts: no update since Tue,? 10 Mar.*; Prices: no update since .*No advice until it recovers\..*Still current: the oracle's count, the market page's count\./s,
        );
        assert.deepEqual(await listGrey(page), ['ladder', 'facts', 'chart', 'own']);
        await page.locator('.line-badge', { hasText: 'Stale feeds' }).waitFor();
        assert.deepEqual(await findFaults(page), []);
        makeStale([], true);
        await expectBlind(page, /Posts: older ones are not all read yet, .*No advice until then/s);
        // Missing only older posts is not stale.
        await page.getByText('no update since').first().waitFor({ state: 'detached' });
        await page.locator('.line-badge[data-line="live"]').waitFor();
        makeStale([]);
        await row.waitFor();
        await page.locator('.notice-warn').first().waitFor({ state: 'detached' });
        assert.deepEqual(await listGrey(page), []);
      });
    });
  });
}
