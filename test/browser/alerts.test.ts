// Alerts on the page: creates, tests and removes rules and channels, and adds the browser as a channel. A pushed
// alert is shown and opens the linked moment when clicked.

import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { NOW_TS } from '../api/fixture.ts';
import { waitUntil } from '../support/boot.ts';
import { closeBrowser, findFaults, isWithinWidth, openBrowser, visit } from './browser.ts';
import { openStillService, SCREENS, type StillService } from './still-service.ts';

const HOOK = 'http://127.0.0.1:9/api/webhooks/1/token';

function publicKey(): string {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair.getPublicKey('base64url');
}

let browser: Browser;
let service: StillService;

before(async () => {
  const vapid = publicKey();
  const reach = {
    isLocalAllowed: true,
    publicUrl: 'https://elsewhere.example',
    findTelegramBot: async () => 'tallybot',
    findPushKey: async () => vapid,
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

/** Replaces Chromium's push service, which needs internet access. */
async function pretendPushService(page: Page): Promise<void> {
  const keys = { p256dh: publicKey(), auth: randomBytes(16).toString('base64url') };
  await page.addInitScript((given) => {
    PushManager.prototype.subscribe = async (options) => {
      const key = new Uint8Array(options?.applicationServerKey as ArrayBuffer);
      if (key.length !== 65 || !options?.userVisibleOnly) throw new Error('not a key to subscribe with');
      const json = { endpoint: 'http://127.0.0.1:9/push/1', keys: given };
      return { toJSON: () => json } as unknown as PushSubscription;
    };
  }, keys);
}

/** Delivers a push to the worker as the browser would after decrypting it. */
async function push(cdp: CDPSession, registrationId: string, alert: object): Promise<void> {
  const data = JSON.stringify(alert);
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: service.url, registrationId, data });
}

async function findRegistration(
  context: BrowserContext,
  page: Page,
): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await context.newCDPSession(page);
  const found = Promise.withResolvers<string>();
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    if (registrations[0]) found.resolve(registrations[0].registrationId);
  });
  await cdp.send('ServiceWorker.enable');
  return { cdp, id: await found.promise };
}

const listShown = (page: Page) =>
  page.evaluate(async () =>
    (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body, tag }) => [
      title,
      body,
      tag,
    ]),
  );

/** Chromium forgets an alert that is listed while it is being shown, so shown alerts are counted in the worker. */
async function countShows(worker: Worker): Promise<(count: number) => Promise<void>> {
  await worker.evaluate(() => {
    const scope = globalThis as unknown as ServiceWorkerGlobalScopeLike;
    const show = scope.registration.showNotification.bind(scope.registration);
    scope.shown = 0;
    scope.registration.showNotification = async (...args) => {
      await show(...args);
      scope.shown += 1;
    };
  });
  const readShown = () =>
    worker.evaluate(() => (globalThis as unknown as ServiceWorkerGlobalScopeLike).shown);
  return (count) => waitUntil(async () => (await readShown()) === count);
}

/** Compares tags rather than the number of alerts, because the browser lists both during a replacement. */
async function waitForTags(page: Page, tags: string): Promise<void> {
  let shown = '';
  const isShown = async () => {
    shown = (await listShown(page))
      .map(([, , tag]) => tag)
      .sort()
      .join(' ');
    return shown === tags;
  };
  await waitUntil(isShown).catch(() => assert.equal(shown, tags));
}

async function findWorker(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
}

/** Sends the worker the event that the browser sends on a click. */
async function pressInWorker(context: BrowserContext, tag: string): Promise<void> {
  const worker = await findWorker(context);
  await worker.evaluate(async (name) => {
    const scope = globalThis as unknown as ServiceWorkerGlobalScopeLike;
    const [notification] = await scope.registration.getNotifications({ tag: name });
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
  }, tag);
}

describe('the page', () => {
  it('adds the browser as a channel, shows a pushed alert once and opens the linked moment on click', async () => {
    const { page, close } = await visit(browser, service, { hash: '#/about', tier: 'PRO' });
    const context = page.context();
    await context.grantPermissions(['notifications'], { origin: service.url });
    await pretendPushService(page);
    await page.reload();
    await page.evaluate(() => location.assign('#/alerts'));
    await page.getByRole('button', { name: 'Enable browser alerts' }).click();
    await page.locator('[data-channel]', { hasText: 'This browser' }).waitFor();

    const { cdp, id } = await findRegistration(context, page);
    const waitForShows = await countShows(await findWorker(context));
    const link = `https://elsewhere.example/#/live/account_a/1001/${NOW_TS}`;
    const alert = { notice_id: 'n1', title: 'Account A woke', text: 'After 3 h.', link };
    await push(cdp, id, alert);
    // Chromium shows an alert twice if it is repeated before the first is shown.
    await waitForShows(1);
    await push(cdp, id, alert);
    await push(cdp, id, { ...alert, notice_id: 'n2', title: 'Settled' });
    await waitForShows(3);
    await waitForTags(page, 'n1 n2');
    assert.deepEqual((await listShown(page)).sort(), [
      ['Account A woke', 'After 3 h.', 'n1'],
      ['Settled', 'After 3 h.', 'n2'],
    ]);

    await pressInWorker(context, alert.notice_id);
    await page.waitForURL(`${service.url}/#/live/account_a/1001/${NOW_TS}`);
    await waitForTags(page, 'n2');
    await close();
  });

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

interface ServiceWorkerGlobalScopeLike {
  shown: number;
  registration: ServiceWorkerRegistration;
  NotificationEvent: new (type: string, init: { notification: Notification | undefined }) => Event;
  dispatchEvent(event: Event): boolean;
}
