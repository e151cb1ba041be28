// Charts on the live page: one crosshair, buckets side by side, and an alert from a click.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSnapshot, NOW_TS } from '../api/fixture.ts';
import { sampleForecast } from '../store/samples.ts';
import { findFaults } from './browser.ts';
import { openDesk } from './still-service.ts';

const EVENT_ID = 1001;
const HOUR_MS = 3_600_000;

const desk = openDesk({}, async ({ store }) => {
  await store.events.upsert(createSnapshot('a').events.map(({ event }) => event));
  await store.forecasts.record(
    [3, 2, 1].map((hours) =>
      sampleForecast({
        eventId: EVENT_ID,
        asofTs: NOW_TS - hours * HOUR_MS,
        countSoFar: 71 - hours,
        p50: 133,
        marketPrices: [0.1, 0.45, 0.4, 0.2],
        bucketProbabilities: [0.25, 0.25, 0.25, 0.25],
      }),
    ),
  );
});

describe('the live page’s charts', () => {
  it('share one crosshair, compare buckets, and set an alert from a click', async () => {
    await desk.onPage({ hash: `#/live/account_a/${EVENT_ID}`, tier: 'PRO' }, async (page) => {
      const [count, price] = [page.locator('.running'), page.locator('.price-panel')];
      for (const panel of [count, price]) await panel.locator('.u-over').waitFor();
      await price.getByLabel('Compare with').selectOption({ index: 1 });
      await price.locator('[data-line^="compared"]').waitFor();
      const place = price.locator('.u-over');
      const box = (await place.boundingBox())!;
      // The last prices, which are recorded hourly.
      await place.hover({ position: { x: box.width - 3, y: box.height / 2 } });
      const ts = (panel: typeof count) => panel.locator('.chart-tip:visible').getAttribute('data-ts');
      const seen = [Number(await ts(count)), Number(await ts(price))];
      assert.ok(
        Math.abs(seen[0]! - seen[1]!) <= 2 * HOUR_MS,
        seen.map((t) => new Date(t).toISOString()).join(),
      );
      await count.locator('.u-over').click({ position: { x: 60, y: 40 } });
      const words = await count.locator('.alert-offer').innerText();
      const reached = Number(/the count reaches ([\d,]+)\./.exec(words)![1]!.replace(',', ''));
      await page.getByRole('button', { name: 'Add alert' }).click();
      await count.getByText(/^Added/).waitFor();
      assert.deepEqual(await findFaults(page), []);
      const { json } = await desk.service.call('/rules', { key: desk.service.keys.PRO });
      const [rule] = json.data;
      assert.deepEqual([rule.kind, rule.event_id, rule.threshold], ['count_reached', EVENT_ID, reached]);
    });
  });
});
