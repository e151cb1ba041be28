// Checks the content and accessibility of every page for every tier at phone and desktop width.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { waitUntil } from '../support/boot.ts';
import {
  closeBrowser,
  DESK,
  findFaults,
  isWithinWidth,
  measureNotices,
  openBrowser,
  PHONE,
  type Visit,
  visit,
} from './browser.ts';
import { openTestService, type TestService, type Tier } from './service.ts';

let browser: Browser;
let service: TestService;

before(async () => {
  [browser, service] = await Promise.all([openBrowser(), openTestService(11, ['--venues', 'kalshi'])]);
  // Past events are stored during the first seconds; the list is read once.
  await waitUntil(async () => {
    const headers = { 'X-API-Key': service.keyOf('PRO')! };
    const response = await fetch(`${service.url}/api/v1/history/account_a/events?limit=25`, { headers });
    return Boolean(((await response.json()) as { next_cursor?: string | null }).next_cursor);
  });
});
after(async () => {
  closeBrowser();
  await service?.close();
});

interface Expectation {
  hash: string;
  tier: Tier;
  shows: string[];
  hides?: string[];
}

const PAGES: readonly Expectation[] = [
  {
    hash: '#/live',
    tier: 'PUBLIC',
    shows: ['Our count', 'Oracle', 'Market page', 'Window closes in', 'Running count', 'Buckets', 'Posts'],
    hides: ['Counted, last hour', 'not counted'],
  },
  { hash: '#/live', tier: 'PRO', shows: ['Our count', 'Counted, last hour', 'Asleep', 'Buckets'] },
  {
    hash: '#/signals',
    tier: 'PUBLIC',
    shows: ['Signals', 'Enter a key'],
    hides: ['Only events with advice'],
  },
  { hash: '#/signals', tier: 'PRO', shows: ['Bankroll', 'Only events with advice'] },
  { hash: '#/event', tier: 'PUBLIC', shows: ['Open an event to replay it.', 'Older events'] },
  {
    hash: '#/what-if',
    tier: 'PUBLIC',
    shows: ['Enter a key'],
    hides: ['Wakes at'],
  },
  {
    hash: '#/what-if',
    tier: 'PRO',
    shows: ['Wakes at', 'Scenario forecast'],
  },
  { hash: '#/alerts', tier: 'PUBLIC', shows: ['Alerts', 'Enter a key'], hides: ['Add rule'] },
  { hash: '#/alerts', tier: 'PRO', shows: ['Alert me when', 'Channels', 'Recent alerts'] },
  { hash: '#/portfolio', tier: 'PUBLIC', shows: ['Portfolio', 'Enter a key'] },
  { hash: '#/portfolio', tier: 'PRO', shows: ['Bankroll', 'Enter a wallet address'] },
  {
    hash: '#/record',
    tier: 'PUBLIC',
    shows: ['Forward record', 'Check it yourself', 'What today’s model', 'Buy win rate'],
  },
  {
    hash: '#/about',
    tier: 'PUBLIC',
    shows: ['Account A feeds', 'Account B feeds', 'You host this service', 'Tiers', 'llms.txt'],
  },
];

const DEVICES = {
  'a desktop in light mode': { viewport: DESK, colorScheme: 'light' },
  'a phone in dark mode': { viewport: PHONE, colorScheme: 'dark', isMobile: true, hasTouch: true },
} as const;

describe('each page', () => {
  for (const [tier, device] of [
    ['PUBLIC', 'a desktop in light mode'],
    ['PRO', 'a phone in dark mode'],
  ] as const) {
    it(`shows a ${tier} visitor that tier's content on ${device}`, async () => {
      const seen = await visit(browser, service, { ...DEVICES[device], tier });
      for (const expected of PAGES.filter((page) => page.tier === tier)) await checkPage(seen, expected);
      await expectCleanVisit(seen);
    });
  }
});

async function checkPage({ page }: Visit, { hash, shows, hides = [] }: Expectation): Promise<void> {
  await page.evaluate((next) => location.assign(next), hash);
  const main = page.locator('main');
  for (const words of shows) await main.getByText(words).first().waitFor();
  for (const words of hides) assert.equal(await main.getByText(words).count(), 0, `${hash} ${words}`);
  assert.deepEqual(await findFaults(page), [], hash);
  assert.ok(await isWithinWidth(page), `${hash} is wider than its window`);
}

function withAdviceEverywhere(answer: { data: { signals: { advice: object }[] }[] }): object {
  const advice = { verdict: 'BUY_YES', sentence: 'Buy 27 Yes of 120-139 at 41¢ or less: worth 47.53¢' };
  const data = answer.data.map((event) => ({
    ...event,
    signals: event.signals.map((signal) => ({ ...signal, advice: { ...signal.advice, ...advice } })),
  }));
  return { ...answer, data };
}

async function expectCleanVisit({ errors, strays, close }: Visit): Promise<void> {
  await close();
  assert.deepEqual(errors, []);
  assert.deepEqual(strays, []);
}

describe('every page', () => {
  const RULES = ['Kalshi, deleted posts do not count', 'Market, deleted posts count'];

  it('shows the venue and counting rule of each event', async () => {
    const seen = await visit(browser, service, { ...DEVICES['a desktop in light mode'], tier: 'PRO' });
    const { page } = seen;
    const main = page.locator('main');
    const goTo = async (hash: string) => {
      await page.evaluate((next) => location.assign(next), hash);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    };
    await goTo('#/live/account_b');
    await main
      .getByText(/^(Kalshi|Market): .*; deleted posts .*\. Settled by (Roll Call|the oracle)$/)
      .waitFor();
    for (const rule of RULES) await main.getByText(rule).first().waitFor();
    for (const [hash, label] of [
      ['#/signals', 'Account B'],
      ['#/event/account_b', null],
      ['#/what-if/account_b', null],
      ['#/portfolio', null],
    ] as const) {
      await goTo(hash);
      if (label) await main.getByLabel(label).check({ force: true });
      if (hash === '#/portfolio') await main.getByRole('button', { name: 'Try the demo wallet' }).click();
      for (const rule of RULES) await main.getByText(rule).first().waitFor({ state: 'attached' });
    }
    await goTo('#/event/account_b');
    await main.locator('.past-events a').first().click();
    await main.getByText(/^(Kalshi|Market), deleted posts .*\. /).waitFor();
    await seen.close();
    assert.deepEqual(seen.errors, []);
  });
});

describe('the API reference', () => {
  it("lists each route once and can call it with the user's key on a phone", async () => {
    const seen = await visit(browser, service, { ...DEVICES['a phone in dark mode'], tier: 'PRO' });
    const { page } = seen;
    await page.goto(`${service.url}/docs`);
    const signals = page.locator('section#getSignals');
    await signals.waitFor();
    const titles = await page.locator('main h2').allInnerTexts();
    assert.equal(new Set(titles).size, titles.length);
    assert.match(await signals.locator('h2').innerText(), /\/signals\/\{account\}/);
    await signals.getByText('Examples').click();
    const examples = await signals.locator('details[open] pre').allInnerTexts();
    assert.match(examples.join(), /^curl -H .*call\('GET \/signals\/\{account\}', .*request\("GET"/s);
    // Every route has the same parts, so a few of them show how they look on a phone.
    assert.deepEqual(await findFaults(page, ['main > section:nth-of-type(n + 6)']), []);
    assert.ok(await isWithinWidth(page));
    await signals.getByLabel('path').selectOption('/api/v1/signals/account_b');
    await signals.getByRole('button', { name: 'Try it' }).click();
    await signals.locator('pre', { hasText: /^200\s[\s\S]*"event_id"/ }).waitFor();
    await expectCleanVisit(seen);
  });
});

describe('the public view', () => {
  it('says what PRO adds and shows no placeholder numbers', async () => {
    const seen = await visit(browser, service);
    const ladder = seen.page.locator('.ladder');
    await ladder.waitFor();
    assert.deepEqual(await ladder.locator('thead th').allInnerTexts(), ['Bucket', 'Bars', 'Market']);
    await seen.page.locator('.pro-note').nth(3).waitFor();
    assert.equal(await seen.page.locator('.post-counted').count(), 0);
    await expectCleanVisit(seen);
  });
});

describe('the signals and portfolio pages', () => {
  it('say each reason once, and resize for another bankroll', async () => {
    const seen = await visit(browser, service, { hash: '#/signals', tier: 'PRO' });
    await seen.page.locator('.to-do').waitFor();
    // Opened, an event says each reason once.
    const event = seen.page.locator('.folded', { hasText: 'without a trade' }).first();
    await event.locator('summary').first().click();
    await event.locator('tr[data-bucket]').first().waitFor();
    const reasons = await event.locator('.table-caption, .advice-sentence').allInnerTexts();
    const long = reasons.filter((text) => text !== 'No trade.');
    assert.equal(new Set(long).size, long.length, long.join('\n'));
    assert.deepEqual(await findFaults(seen.page), []);
    const asked = seen.page.waitForRequest((request) => request.url().includes('bankroll=250000'));
    await seen.page.getByLabel('Bankroll in USD').fill('250000');
    await asked;
    await expectCleanVisit(seen);
  });

  it('show what to do first, with three trades visible without scrolling, even at phone width', async () => {
    for (const viewport of [{ width: 390, height: 844 }, DESK]) {
      const seen = await visit(browser, service, { tier: 'PRO', viewport });
      await seen.page.locator('.to-do-row, .to-do-none').first().waitFor();
      const bottoms = await seen.page
        .locator('.to-do-row, .to-do-none')
        .evaluateAll((rows) => rows.slice(0, 3).map((row) => row.getBoundingClientRect().bottom));
      assert.ok(bottoms.length > 0);
      const height = viewport.height + (await measureNotices(seen.page));
      for (const bottom of bottoms) assert.ok(bottom <= height, `${bottom} of ${height}`);
      const wide = await seen.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= viewport.width, `${wide} of ${viewport.width}`);
      await expectCleanVisit(seen);
    }
  });

  it('fit on three phone screens, with idle buckets collapsed', async () => {
    const viewport = { width: 390, height: 844 };
    const seen = await visit(browser, service, { hash: '#/about', tier: 'PRO', viewport });
    // Worst case: a trade in every bucket of every event.
    await seen.page.route('**/signals/account_a?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: withAdviceEverywhere(await response.json()) });
    });
    await seen.page.evaluate(() => location.assign('#/signals'));
    await seen.page.getByText('more with advice').first().waitFor();
    await seen.page.locator('.to-do-row, .to-do-none').first().waitFor();
    const whole = await seen.page.evaluate(() => document.documentElement.scrollHeight);
    const tall = whole - (await measureNotices(seen.page));
    assert.ok(tall <= 3 * viewport.height, `${tall} pixels`);
    await expectCleanVisit(seen);
  });

  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    it(`show a wallet's positions with one action each, at ${width} pixels in ${colorScheme} mode`, async () => {
      const viewport = { width, height: 844 };
      const seen = await visit(browser, service, { hash: '#/portfolio', tier: 'PRO', viewport, colorScheme });
      const { page } = seen;
      await page.getByRole('button', { name: 'Try the demo wallet' }).focus();
      await page.keyboard.press('Enter');
      assert.equal(await page.getByLabel('Wallet address').inputValue(), service.simulator.demoWallet);
      const total = page.locator('.portfolio-facts');
      for (const name of ['Value now', 'Profit or loss', 'Worth by our forecast'])
        await total.getByText(name).waitFor();
      const heads = await page.locator('.table').first().locator('thead th').allInnerTexts();
      assert.deepEqual(heads.slice(0, 2), ['Position', 'Advice']);
      // One verdict and one probability in each row.
      const rows = await page.locator('tr[data-bucket]').allInnerTexts();
      assert.ok(rows.length > 0);
      for (const row of rows) assert.equal(row.match(/%/g)?.length, 1, row);
      assert.equal(await page.locator('tr[data-bucket]', { hasText: /Would buy|Keep: closed/ }).count(), 0);
      assert.ok(await isWithinWidth(page));
      assert.deepEqual(await findFaults(page), []);
      await expectCleanVisit(seen);
    });
  }

  it('show the whole product after one click on the demo key', async () => {
    const seen = await visit(browser, service, { hash: '#/signals' });
    const { page } = seen;
    const button = page.locator('main').getByRole('button', { name: 'Use the demo key' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Only events with advice').waitFor();
    assert.match(await page.evaluate(() => sessionStorage.getItem('tallycast-key') ?? ''), /^tc_pro_/);
    assert.equal(await page.getByRole('button', { name: 'Use the demo key' }).count(), 0);
    await expectCleanVisit(seen);
  });

  it('keep the key in the browser tab and delete it on request', async () => {
    const seen = await visit(browser, service, { hash: '#/signals' });
    await seen.page.getByRole('button', { name: 'Enter a key' }).click();
    await seen.page.getByLabel('Key', { exact: true }).fill(service.keyOf('PRO')!);
    await seen.page.getByRole('button', { name: 'Use this key' }).click();
    await seen.page.getByText('Only events with advice').waitFor();
    const kept = await seen.page.evaluate(() => [
      JSON.stringify(localStorage).includes('tc_pro_'),
      sessionStorage.length,
      document.cookie,
    ]);
    assert.deepEqual(kept, [false, 1, '']);
    await seen.page.locator('.key-button').click();
    await seen.page.getByRole('button', { name: 'Remove key' }).click();
    await seen.page.getByRole('button', { name: 'Enter a key' }).waitFor();
    await expectCleanVisit(seen);
  });
});

describe('the time zone setting', () => {
  it('determines the heat map column of the current hour', async () => {
    const seen = await visit(browser, service, { timezoneId: 'Asia/Tokyo' });
    const readUtcHour = async () => {
      const response = await fetch(`${service.url}/api/v1/health`);
      const { timestamp } = (await response.json()) as { timestamp: number };
      return new Date(timestamp).getUTCHours();
    };
    await seen.page.getByRole('group', { name: 'Time zone' }).getByLabel('UTC').check();
    await seen.page.getByText('counted posts, UTC').waitFor();
    const hourBefore = await readUtcHour();
    const column = await seen.page
      .locator('td.heat-cell[data-now]')
      .first()
      .evaluate((cell) => (cell as HTMLTableCellElement).cellIndex);
    const expected = [hourBefore, await readUtcHour()];
    // The first column contains the day.
    assert.ok(expected.includes(column - 1), `column ${column}, not hour ${expected.join(' or ')}`);
    await expectCleanVisit(seen);
  });
});

describe('a change of the time zone', () => {
  it('keeps what was entered', async () => {
    const seen = await visit(browser, service, { hash: '#/signals', tier: 'PRO' });
    const bankroll = seen.page.getByLabel('Bankroll in USD');
    await bankroll.fill('250');
    await seen.page.getByRole('group', { name: 'Time zone' }).getByLabel('UTC').check();
    await seen.page.waitForFunction(() => localStorage.getItem('tallycast-zone') === 'UTC');
    assert.equal(await bankroll.inputValue(), '250');
    await expectCleanVisit(seen);
  });
});

describe('the first page', () => {
  it('needs less than 150 kB for its first view, with style and font', async () => {
    const html = await (await fetch(service.url)).text();
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    const sizes = await Promise.all(
      ['/', ...new Set(files)].map(async (path) => {
        const answer = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'br' } });
        await answer.arrayBuffer();
        return Number(answer.headers.get('content-length'));
      }),
    );
    assert.ok(files.length > 2 && sizes.every((bytes) => bytes > 0));
    assert.ok(sizes.reduce((sum, bytes) => sum + bytes, 0) < 150_000, sizes.join());
  });
});
