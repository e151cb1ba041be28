// A returning visitor sees what changed since the last visit, computed from the row stored then and the live state,
// at both widths.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSnapshot, NOW_TS } from '../api/fixture.ts';
import { sampleForecast } from '../store/samples.ts';
import { findFaults, isWithinWidth } from './browser.ts';
import { openDesk, SCREENS } from './still-service.ts';

const HOUR_MS = 3_600_000;
const THEN_TS = NOW_TS - 3 * HOUR_MS;
const LOOK = JSON.stringify({ ts: THEN_TS + 60_000, advice: ['1001 100-119 BUY_YES'] });

const desk = openDesk({}, async ({ store }) => {
  await store.events.upsert(createSnapshot('a').events.map(({ event }) => event));
  const row = {
    eventId: 1001,
    marketPrices: [0.1, 0.45, 0.4, 0.2],
    bucketProbabilities: [0.25, 0.25, 0.25, 0.25],
  };
  await store.forecasts.record([
    sampleForecast({ ...row, asofTs: THEN_TS, countSoFar: 71, p50: 133 }),
    sampleForecast({ ...row, asofTs: NOW_TS - HOUR_MS, countSoFar: 78, p50: 130 }),
  ]);
});

const VERDICTS: Record<string, string> = { BUY_YES: 'buy Yes on', BUY_NO: 'buy No on', EXIT: 'sell' };

/** Returns the advice currently served for the displayed event. */
async function listAdvised(): Promise<string[]> {
  const { json } = await desk.service.call('/signals?limit=100', { key: desk.service.keys.PRO });
  const own = json.data.filter((entry: { event_id: number }) => entry.event_id === 1001);
  return own.map(
    (entry: { verdict: string; bucket: string }) => `${VERDICTS[entry.verdict]} ${entry.bucket}`,
  );
}

for (const { name, ...screen } of SCREENS) {
  describe(`the page at ${name}`, () => {
    it('lists changes in count, forecast, price and advice since the last visit, and saves this visit', async () => {
      await desk.onPage(
        {
          hash: '#/about',
          tier: 'PRO',
          ...screen,
        },
        async (page) => {
          await page.locator('.footer').waitFor();
          // Change the hash without triggering navigation, so that the page does not save this visit yet.
          await page.evaluate((look) => {
            localStorage.setItem('tallycast-last-look', look);
            history.replaceState(null, '', '#/live/account_a/1001');
          }, LOOK);
          await page.reload();
          const since = page.locator('.since');
          await since.getByText('Advice').waitFor();
          const changes = await since.locator('dl div').allInnerTexts();
          assert.deepEqual(
            changes.map((text) => text.replaceAll(/\s+/g, ' ')),
            [
              'Count 71 to 80 (+9)',
              'Forecast 133 to 127 (\u22126)',
              'Price 100-119 45.0% to 30.0%, the largest change',
              `Advice ${[...(await listAdvised()).map((words) => `new: ${words}`), 'ended: buy Yes on 100-119'].join('; ')}`,
            ],
          );
          const then = await since.getByRole('link', { name: 'replay from then' }).getAttribute('href');
          assert.equal(then, `#/event/account_a/1001/${THEN_TS}`);
          assert.ok(await isWithinWidth(page));
          assert.deepEqual(await findFaults(page), []);
          await since.getByRole('button', { name: 'Dismiss' }).click();
          assert.equal(await since.count(), 0);
          await page.reload();
          await page.locator('.counter').first().waitFor();
          const kept = await page.evaluate(() => localStorage.getItem('tallycast-last-look') ?? '');
          assert.ok(JSON.parse(kept).ts >= NOW_TS, kept);
          assert.ok(JSON.parse(kept).advice.includes('1001 120-139 BUY_YES'), kept);
        },
      );
    });
  });
}

describe('the page on a first visit', () => {
  it('mentions no earlier visit', async () => {
    await desk.onPage({ tier: 'PRO' }, async (page) => {
      await page.locator('.to-do-row, .to-do-none').first().waitFor();
      assert.equal(await page.locator('.since').count(), 0);
    });
  });
});
