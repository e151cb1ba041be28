// Alerts on the page: creates, tests and removes rules and channels.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { closeBrowser, findFaults, isWithinWidth, openBrowser, visit } from './browser.ts';
import { openStillService, SCREENS, type StillService } from './still-service.ts';

const HOOK = 'http://127.0.0.1:9/api/webhooks/1/token';

let browser: Browser;
let service: StillService;

before(async () => {
  const reach = {
    isLocalAllowed: true,
    publicUrl: 'https://elsewhere.example',
    findTelegramBot: async () => 'tallybot',
  };
  [browser, service] = await Promise.all([openBrowser(), openStillService({ reach })]);
});
after(async () => {
  closeBrowser();
  await service?.close();
});

for (const { name, ...screen } of SCREENS) {
  describe(`the alerts page at ${name}`, () => {
    it('adds a channel and a rule, tests them, and removes them again', async () => {
      const { page, errors, close } = await visit(browser, service, {
        hash: '#/alerts',
        tier: 'PRO',
        ...screen,
      });
      await page.getByLabel('Kind', { exact: true }).selectOption('discord');
      await page.getByLabel('Address').fill(HOOK);
      await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
      const channel = page.locator('[data-channel]');
      await channel.waitFor();
      assert.equal((await channel.innerText()).includes('token'), false);
      await page.getByLabel('Alert me when').selectOption('price_moved');
      await page.getByLabel('By (cents)').fill('7');
      await page.getByLabel('Account').selectOption('account_b');
      await page.getByLabel('Quiet from').fill('22:00');
      await page.getByLabel('until').fill('07:00');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Add rule' }).click();
      const rule = page.locator('[data-rule]', { hasText: 'A price moves: by 7 cents' });
      await rule.waitFor();
      assert.match(
        await rule.innerText(),
        /Account B, 1 channel, quiet 22:00 to 07:00, America\/New_York, at most 20 an hour/,
      );
      const { json } = await service.call('/rules', { key: service.keys.PRO });
      assert.deepEqual(
        [json.data.length, json.data[0].threshold, json.data[0].account],
        [1, 0.07, 'account_b'],
      );
      await rule.getByRole('button', { name: /^Edit/ }).click();
      await page.getByLabel('By (cents)').fill('9');
      await page.getByRole('checkbox').uncheck();
      await page.getByRole('button', { name: 'Save rule' }).click();
      const changed = page.locator('[data-rule]', { hasText: 'A price moves: by 9 cents' });
      await changed.waitFor();
      const after = (await service.call('/rules', { key: service.keys.PRO })).json.data;
      assert.deepEqual(
        after.map(({ rule_id, threshold, channels }: never) => [rule_id, threshold, channels]),
        [[json.data[0].rule_id, 0.09, []]],
        'only the edited field changed',
      );
      await changed.getByRole('button', { name: /^Edit/ }).click();
      await page.getByLabel('By (cents)').fill('7');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Save rule' }).click();
      await rule.waitFor();
      await rule.getByRole('button', { name: /^Test/ }).click();
      await page.getByText('Test alert sent.').waitFor();
      await page.locator('[data-notice]', { hasText: 'Test:' }).first().waitFor();
      assert.ok(await isWithinWidth(page));
      assert.deepEqual(await findFaults(page), []);
      await rule.getByRole('button', { name: /^Remove/ }).click();
      await rule.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await rule.waitFor();
      assert.match(await rule.innerText(), /Account B, 1 channel, quiet 22:00 to 07:00, America/);
      await rule.getByRole('button', { name: /^Remove/ }).click();
      await rule.waitFor({ state: 'detached' });
      await channel.getByRole('button', { name: /^Remove/ }).click();
      await channel.waitFor({ state: 'detached' });
      await close();
      assert.deepEqual(errors, []);
    });

    it('explains how to link Telegram, and what is wrong with an address', async () => {
      const { page, close } = await visit(browser, service, { hash: '#/alerts', tier: 'PRO', ...screen });
      await page.getByRole('button', { name: 'Link Telegram' }).click();
      const link = page.getByRole('link', { name: 'open the bot’s chat' });
      assert.match((await link.getAttribute('href')) ?? '', /^https:\/\/t\.me\/tallybot\?start=\w+$/);
      await page.locator('[data-channel]', { hasText: 'waiting for your message' }).waitFor();
      await page.getByLabel('Kind', { exact: true }).selectOption('discord');
      await page.getByLabel('Address').fill('http://127.0.0.1:9/elsewhere');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('alert').waitFor();
      await page
        .locator('[data-channel]')
        .getByRole('button', { name: /^Remove/ })
        .click();
      await page.locator('[data-channel]').waitFor({ state: 'detached' });
      await close();
    });
  });
}

describe('the page', () => {
  it('can be installed, because its manifest has a name, a start URL and an icon', async () => {
    const { page, close } = await visit(browser, service);
    const cdp = await page.context().newCDPSession(page);
    const { data, errors } = await cdp.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const { name, start_url, display, icons } = JSON.parse(data ?? '{}');
    assert.deepEqual([name, start_url, display, icons.length], ['Tallycast', '/#/live', 'standalone', 1]);
    await close();
  });
});
