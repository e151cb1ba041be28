// A third account is shown like the first two.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { closeBrowser, openBrowser, visit } from './browser.ts';
import { openTestService, type TestService } from './service.ts';

let browser: Browser;
let service: TestService;

before(async () => {
  [browser, service] = await Promise.all([openBrowser(), openTestService(13, ['--accounts', '3'])]);
});
after(async () => {
  closeBrowser();
  await service?.close();
});

describe('a third account', () => {
  it('appears on the page like the first two, with its own count, feeds and record', async () => {
    const { page, errors, close } = await visit(browser, service, { hash: '#/about' });
    await page.getByText('Account C feeds').waitFor();
    await page.goto(`${service.url}/#/live/account_c`);
    await page.locator('.counter[data-source="own"] .figure').waitFor();
    await page.goto(`${service.url}/#/record`);
    const choice = page.getByRole('group', { name: 'Account' });
    await choice.getByText('Account C', { exact: true }).waitFor();
    assert.deepEqual(await choice.locator('label').allInnerTexts(), [
      'All accounts',
      'Account A',
      'Account B',
      'Account C',
    ]);
    await close();
    assert.deepEqual(errors, []);
  });
});
