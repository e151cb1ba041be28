// The what-if page at both widths: two sliders and a wake time reprice the ladder with the served numbers.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NOW_TS } from '../api/fixture.ts';
import { samplePost } from '../store/samples.ts';
import { findFaults, isWithinWidth } from './browser.ts';
import { openDesk, SCREENS } from './still-service.ts';

const HOUR_MS = 3_600_000;
const DAYS = 40;

const desk = openDesk({}, async ({ store }) => {
  const posts = Array.from({ length: DAYS * 24 }, (_, hour) =>
    samplePost({ postId: `p${hour}`, createdTs: NOW_TS - hour * HOUR_MS - 60_000 }),
  );
  await store.posts.recordCaptures(posts);
});

/** Retries requests that a busy machine sheds. */
async function ask(assumption: object) {
  const post = () =>
    desk.service.call('/what-if/account_a', {
      method: 'POST',
      key: desk.service.keys.PRO,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ event_id: 1001, ...assumption }),
    });
  let reply = await post();
  for (let tries = 1; reply.status === 503 && tries < 100; tries++) reply = await post();
  assert.equal(reply.status, 200, reply.text);
  return reply.json.data as {
    forecast: { p5: number; p50: number; p95: number };
    ladder: { rows: { model_prob: number }[] };
    scenario: object;
  };
}

/** Waits until the page shows exactly what the service returns for the scenario. */
async function expectServed(page: Page, assumption: object): Promise<void> {
  const { forecast, ladder, scenario } = await ask(assumption);
  const { p5, p50, p95 } = forecast;
  const range = `${p50} ${p5} to ${p95}`;
  const shown = page.locator(`.what-if [data-scenario='${JSON.stringify(scenario)}']`);
  await shown.locator('.fact dd', { hasText: range }).first().waitFor();
  const likely = ladder.rows.map(({ model_prob }) => `${(model_prob * 100).toFixed(1)}%`);
  await page.waitForFunction((wanted) => {
    const cells = [...document.querySelectorAll('.what-if-ladder tbody td:nth-child(4)')];
    return cells.map((cell) => cell.textContent).join() === wanted;
  }, likely.join());
}

for (const { name, ...screen } of SCREENS)
  describe(`the what-if page at ${name}`, () => {
    it('reprices the ladder for its sliders and wake time, and can be reset', async () => {
      const hash = '#/what-if/account_a/1001';
      await desk.onPage({ hash, tier: 'PRO', ...screen }, async (page) => {
        await page.getByRole('slider', { name: 'Pace' }).press('End');
        await page.getByRole('slider', { name: 'Silence' }).fill('12');
        await expectServed(page, { pace_factor: 4, silent_hours: 12 });
        // 10 March, 15:00 in New York, the browser's zone.
        await page.getByLabel('Wakes at').fill('2026-03-10T15:00');
        await expectServed(page, { pace_factor: 4, wake_ts: Date.UTC(2026, 2, 10, 19) });
        await page.getByRole('button', { name: 'Reset' }).click();
        await expectServed(page, {});
        assert.ok(await isWithinWidth(page));
        assert.deepEqual(await findFaults(page), []);
      });
    });
  });

describe('the public what-if page', () => {
  it('says what a key adds', async () => {
    await desk.onPage({ hash: '#/what-if' }, async (page) => {
      await page.getByRole('button', { name: 'Enter a key' }).waitFor();
      assert.equal(await page.locator('.what-if').count(), 0);
    });
  });
});
