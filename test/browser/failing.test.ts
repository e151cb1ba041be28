// Pages while the service fails, is slow, rejects the key or is down, at phone and desktop width. Each page says
// so, shows nothing it does not know, and recovers automatically.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { isWithinWidth, visit } from './browser.ts';
import { openDesk, SCREENS } from './still-service.ts';

/** Live counts, a page that reads once, one that asks with POST, and one with several lists. */
const PAGES = ['live', 'record', 'what-if', 'alerts'];
/** Texts for empty results, which must not appear before the service has responded. */
const NONE =
  /No event|No open event|No rule|No channel|No request|No error|No alerts|No trade|Without a channel/;
const API = '**/api/v1/**';
const WALLET = '0x7a11ca57de300000000000000000000000c0ffee';

const desk = openDesk();

const busy = (route: Route) =>
  route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { detail: 'The service is busy.' } });

/** Never responds. */
const hold = () => {};

async function goTo(page: Page, name: string): Promise<void> {
  await page.evaluate((next) => location.assign(`#/${next}`), name);
}

for (const { name, ...screen } of SCREENS) {
  describe(`the page at ${name}`, () => {
    for (const [what, answer, words] of [
      ['failing', busy, /The service is busy\. Retrying|Waiting for data/],
      ['missing', hold, /…/],
    ] as const) {
      it(`says so and shows no empty results if responses are ${what}`, async () => {
        const { page, close } = await visit(desk.browser, desk.service, {
          hash: '#/about',
          tier: 'INTERNAL',
          ...screen,
        });
        await page.evaluate((wallet) => sessionStorage.setItem('tallycast-wallet', wallet), WALLET);
        await page.route(API, answer);
        for (const hash of PAGES) {
          await goTo(page, hash);
          const main = page.locator('main');
          await main.getByText(words).first().waitFor();
          assert.doesNotMatch(await main.innerText(), NONE, hash);
          assert.ok(await isWithinWidth(page), hash);
        }
        await close();
      });
    }
  });
}

describe('the page with a rejected key', () => {
  it('reports a rejected key once, and opens the public view with one click', async () => {
    const refused = { url: desk.service.url, keyOf: () => 'tc_pro_000000000000000000000000000000000000' };
    const { page, close } = await visit(desk.browser, refused, { tier: 'PRO' });
    // Streams opened after the first rejection already show the public view.
    await page.locator('.notice', { hasText: 'rejected the key' }).first().waitFor();
    assert.equal(await page.locator('.notice', { hasText: 'rejected the key' }).count(), 1);
    await goTo(page, 'record');
    await page.locator('.win-rates').waitFor();
    await page.getByRole('button', { name: 'See the public view' }).click();
    await goTo(page, 'live');
    await page.locator('.counter').first().waitFor();
    assert.equal(await page.locator('.notice', { hasText: 'rejected the key' }).count(), 0);
    await close();
  });
});

describe('the page after an outage', () => {
  it('loads its numbers automatically, after a busy service and after a response that it cannot read', async () => {
    const { page, close } = await visit(desk.browser, desk.service, { hash: '#/about', tier: 'PRO' });
    const unreadable = '**/performance/overview*';
    await page.route(API, busy);
    await page.route(unreadable, (route) => route.fulfill({ body: '<html>' }));
    await goTo(page, 'record');
    await page.getByText('The service is busy').first().waitFor();
    await page.getByText('The response could not be read.').first().waitFor();
    await page.unroute(API);
    await page.unroute(unreadable);
    await page.locator('.win-rates').waitFor();
    await page.getByText('The service is busy').first().waitFor({ state: 'detached' });
    await close();
  });

  it('keeps its frame if a script failed to load, and loads on retry', async () => {
    const { page, close } = await visit(desk.browser, desk.service, { tier: 'PRO' });
    await page.locator('.ladder').waitFor();
    await page.route('**/assets/**', (route) => route.abort('internetdisconnected'));
    await goTo(page, 'about');
    await page.getByText('This page could not be loaded').waitFor();
    await goTo(page, 'live');
    await page.locator('.ladder').waitFor();
    await page.unroute('**/assets/**');
    await goTo(page, 'about');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Account A feeds').waitFor();
    await close();
  });
});

describe('the page with unexpected responses', () => {
  it('keeps its frame if it cannot be drawn, and draws it once it can', async () => {
    const { page, close } = await visit(desk.browser, desk.service, { tier: 'PRO' });
    await page.locator('.ladder').waitFor();
    await page.route('**/api/v1/signals?*', (route) => route.fulfill({ json: {} }));
    await page.getByText('This page could not be loaded').waitFor();
    assert.ok(await page.getByRole('link', { name: 'Record' }).isVisible());
    await page.unroute('**/api/v1/signals?*');
    await page.locator('.ladder').waitFor();
    await close();
  });

  it('shows no advice that can no longer be loaded', async () => {
    const { page, close } = await visit(desk.browser, desk.service, { tier: 'PRO' });
    const advice = page.locator('td.ladder-advice [title]').first();
    await advice.waitFor();
    await page.route('**/api/v1/signals/**', busy);
    await page.locator('.ladder-panel').getByText('The service is busy').waitFor();
    await advice.waitFor({ state: 'detached' });
    await close();
  });

  it('shows no numbers of another wallet', async () => {
    const { page, close } = await visit(desk.browser, desk.service, { hash: '#/portfolio', tier: 'PRO' });
    await page.getByLabel('Wallet address').fill(WALLET);
    await page.locator('.portfolio-facts').first().waitFor();
    await page.route('**/api/v1/portfolio/**', busy);
    await page.getByLabel('Wallet address').fill(`0x${'1'.repeat(40)}`);
    await page.locator('.portfolio-facts').first().waitFor({ state: 'detached' });
    await close();
  });
});

describe('the page in an unusual browser', () => {
  it('works without site storage', async () => {
    const { page, errors, close } = await visit(desk.browser, desk.service, { hash: '#/portfolio' });
    await page.addInitScript(() => {
      for (const name of ['sessionStorage', 'localStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('blocked', 'SecurityError');
          },
        });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Enter a key' }).first().click();
    await page.locator('input[name="key"]').fill(desk.service.keyOf('PRO')!);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByLabel('Wallet address').waitFor();
    await close();
    assert.deepEqual(errors, []);
  });

  it('returns to the first page without a hash, and its title', async () => {
    const { page, close } = await visit(desk.browser, desk.service, { hash: '' });
    await page.locator('.counter').first().waitFor();
    await page.getByRole('link', { name: 'Record' }).click();
    await page.locator('.win-rates').waitFor();
    await page.goBack();
    await page.locator('.counter').first().waitFor();
    await page.waitForFunction(() => /^\d+ · /.test(document.title));
    await close();
  });

  it('adds one rule on a double click', async () => {
    const { page, close } = await visit(desk.browser, desk.service, { hash: '#/alerts', tier: 'PRO' });
    const rules = page.locator('[data-rule]');
    const add = page.getByRole('button', { name: 'Add rule' });
    await add.waitFor();
    await page.getByText('No rules yet').waitFor();
    await add.hover();
    await page.mouse.down();
    await page.mouse.up();
    await page.getByText('Rule added.').waitFor();
    await rules.first().waitFor();
    // The second click, later than the response to the first.
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Rule changed.').waitFor();
    assert.equal(await rules.count(), 1);
    await close();
  });
});
