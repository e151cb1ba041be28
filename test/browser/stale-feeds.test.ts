// Makes each feed stale, alone and all together, at phone and desktop width. Affected parts turn grey, advice stops,
// and the page says since when and what is still current.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { FeedName } from '../../src/domain/feed.ts';
import { HOUR_MS } from '../../src/domain/units.ts';
import { createSnapshot, NOW_TS } from '../api/fixture.ts';
import { findFaults, isWithinWidth, type Visit, visit } from './browser.ts';
import { openDesk, SCREENS } from './still-service.ts';

interface StaleCase {
  feeds: readonly FeedName[];
  says: RegExp;
  good: RegExp;
  /** Selectors of elements that must be grey, and of those that must not. */
  grey: readonly string[];
  clear: readonly string[];
  isBlind: boolean;
}

const LADDER = '.ladder-panel';
const PULSE = '.vitals .facts';
const FAN = '.running .plot-host';
const counter = (source: string) => `.counter[data-source="${source}"]`;

const STALE_CASES: readonly StaleCase[] = [
  {
    feeds: ['own'],
    says: /Posts: no update since Tue,? 10 Mar/,
    good: /Still current: the oracle's count, prices, the market page's count\./,
    grey: [LADDER, PULSE, FAN, counter('own')],
    clear: [counter('oracle'), counter('ui')],
    isBlind: true,
  },
  {
    feeds: ['prices'],
    says: /Prices: no update since/,
    good: /Still current: our count, the forecast, the oracle's count, the market page's count\./,
    grey: [LADDER],
    clear: [PULSE, FAN, counter('own'), counter('oracle')],
    isBlind: true,
  },
  {
    feeds: ['own', 'oracle', 'prices', 'forecast', 'ui'],
    says: /Posts: .*; The oracle's count: .*; Prices: .*; The forecast: .*; The market page's count: no update/,
    good: /^(?!.*Still current)/,
    grey: [LADDER, PULSE, FAN, counter('own'), counter('oracle'), counter('ui')],
    clear: [],
    isBlind: true,
  },
];

let version = 1;

const desk = openDesk();

function makeStale(feeds: readonly FeedName[], isPastMissing = false): void {
  const heardTs = NOW_TS - HOUR_MS;
  for (const accountId of ['a', 'b']) {
    const whole = createSnapshot(accountId, { version: ++version });
    const at = (feed: FeedName) => (feeds.includes(feed) ? heardTs : NOW_TS);
    desk.service.board.replace({
      ...whole,
      isPastMissing,
      // Fresh feeds stay fresh for the whole test.
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

function isGrey(page: Page, selector: string): Promise<boolean> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { filter } = getComputedStyle(element);
      return element.hasAttribute('data-stale') || filter.includes('grayscale');
    });
}

/** Polls, because an earlier message may stay visible for a moment. */
async function expectNoWarning(page: Page): Promise<void> {
  await page.locator('.notice-warn').first().waitFor({ state: 'detached' });
}

async function listAdvice(page: Page): Promise<string[]> {
  return page
    .locator('.to-do-row, .ladder tr[data-active]')
    .evaluateAll((items) => items.map((item) => item.textContent ?? ''));
}

for (const { name, ...screen } of SCREENS) {
  describe(`feeds at ${name}`, () => {
    let seen: Visit;
    before(async () => {
      makeStale([]);
      seen = await visit(desk.browser, desk.service, { tier: 'PRO', ...screen });
    });
    after(() => seen.close());

    it('allow advice and grey out nothing while fresh (control)', async () => {
      const { page } = seen;
      await page.locator('.to-do-row').first().waitFor();
      assert.ok((await listAdvice(page)).length > 0);
      for (const selector of [LADDER, PULSE, FAN, counter('own')])
        assert.equal(await isGrey(page, selector), false, selector);
      await expectNoWarning(page);
    });

    for (const { feeds, says, good, grey, clear, isBlind } of STALE_CASES) {
      it(`grey out only dependent values, and stop advice that needs them, while ${feeds.join(' and ')} are stale`, async () => {
        const { page } = seen;
        makeStale(feeds);
        const notice = page.locator('.notice-warn', { hasText: 'Account A' }).filter({ hasText: says });
        await notice.waitFor();
        const words = (await notice.innerText()).replaceAll('\n', ' ');
        assert.match(words, good);
        assert.equal(/No advice until it recovers/.test(words), isBlind);
        await page
          .locator(isBlind ? '.to-do-none' : '.to-do-row')
          .first()
          .waitFor();
        if (isBlind) assert.deepEqual(await listAdvice(page), []);
        for (const selector of grey) assert.equal(await isGrey(page, selector), true, selector);
        for (const selector of clear) assert.equal(await isGrey(page, selector), false, selector);
        await page.locator('.line-badge', { hasText: 'Stale feeds' }).waitFor();
        assert.ok(await isWithinWidth(page));
        if (feeds.length > 1) assert.deepEqual(await findFaults(page), []);
      });
    }

    it('are not called stale while only older posts are missing', async () => {
      const { page } = seen;
      makeStale([], true);
      const notice = page.locator('.notice-warn', { hasText: 'Account A' }).filter({
        hasText: /Posts: older ones are not all read yet, so counts may be too low\..*No advice until then/,
      });
      await notice.waitFor();
      await page.locator('.to-do-none').first().waitFor();
      assert.deepEqual(await listAdvice(page), []);
      // The other account's earlier notice may stay visible for a moment.
      await page.getByText('no update since').first().waitFor({ state: 'detached' });
      await page.locator('.line-badge[data-line="live"]').waitFor();
      assert.ok(await isWithinWidth(page));
    });

    it('show no banner after they recover', async () => {
      makeStale([]);
      await seen.page.locator('.to-do-row').first().waitFor();
      await expectNoWarning(seen.page);
      assert.equal(await isGrey(seen.page, LADDER), false);
    });
  });
}
