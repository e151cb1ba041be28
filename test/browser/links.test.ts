// Links from the page to posts and markets, if configured.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNTS, WALLET } from '../api/fixture.ts';
import { openDesk } from './still-service.ts';

const [a, b] = ACCOUNTS;
const desk = openDesk({
  accounts: [{ ...a, postPageUrl: 'https://posts.example/status/{id}' }, b],
  settings: { marketPageUrl: 'https://market.example/event' },
});

describe('the page', () => {
  it('links each existing post of an account with a configured post URL', async () => {
    await desk.onPage({ tier: 'PRO' }, async (page) => {
      await page.locator('.post').nth(3).waitFor();
      const hrefs = await page
        .locator('.post')
        .evaluateAll((posts) => posts.slice(0, 4).map((post) => post.querySelector('a')?.href ?? null));
      const of = (id: number) => `https://posts.example/status/${id}`;
      // The third post was deleted.
      assert.deepEqual(hrefs, [of(10_000), of(9_999), null, of(9_997)]);
      await page.goto(`${desk.service.url}/#/live/account_b`);
      await page.locator('.event-head', { hasText: 'Account B' }).waitFor();
      assert.equal(await page.locator('.post a').count(), 0);
    });
  });

  it('links advice and positions in "What to do now" to the market', async () => {
    await desk.onPage({ tier: 'PRO' }, async (page) => {
      await page.locator('.my-positions summary').click();
      await page.locator('.my-positions').getByLabel('Wallet address').fill(WALLET);
      await page.locator('[data-position]').first().waitFor();
      const url = /^https:\/\/market\.example\/event\/event-\d+$/;
      for (const place of ['.to-do-row', '.ladder [data-active]', '[data-position]']) {
        const link = page.locator(`${place} .trade-link`).first();
        await link.waitFor();
        assert.match((await link.getAttribute('href'))!, url, place);
      }
    });
  });

  it('lists positions by event, with those without a trade collapsed and without a link', async () => {
    await desk.onPage({ tier: 'PRO' }, async (page) => {
      await page.locator('.my-positions summary').click();
      await page.locator('.my-positions').getByLabel('Wallet address').fill(WALLET);
      const event = page.locator('.position-groups [data-event="1001"]');
      const rest = event.locator('details');
      await rest.waitFor();
      assert.equal(await page.locator('.my-positions a[href$="/1001"]').count(), 1);
      const shown = await event.locator('[data-position]:visible').count();
      const hidden = await rest.locator('[data-position]').count();
      assert.ok(shown > 0 && hidden > 0, `${shown} shown, ${hidden} collapsed`);
      assert.match(await rest.innerText(), new RegExp(`^${hidden} positions? without a trade$`));
      assert.equal(await event.locator('.trade-link').count(), shown);
      assert.equal(await rest.locator('.trade-link').count(), 0);
    });
  });

  it('links each event in the portfolio to its market', async () => {
    await desk.onPage({ hash: '#/portfolio', tier: 'PRO' }, async (page) => {
      await page.getByLabel('Wallet address').fill(WALLET);
      const link = page.locator('main').getByRole('link', { name: 'Market page' }).first();
      await link.waitFor();
      assert.equal(await link.getAttribute('href'), 'https://market.example/event/event-1001');
    });
  });
});
