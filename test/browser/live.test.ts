// The live page in use: new posts, a service restart, keyboard use, reduced motion. Stale feeds are in
// stale-feeds.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { AccountSnapshot } from '../../src/state/snapshot.ts';
import { createPost, createSnapshot } from '../api/fixture.ts';
import { waitUntil } from '../support/boot.ts';
import { publishChange } from '../support/publish-change.ts';
import { closeBrowser, findLineUp, openBrowser, visit } from './browser.ts';
import { openTestService, type TestService } from './service.ts';
import { openDesk, SCREENS } from './still-service.ts';

let browser: Browser;
let service: TestService;

before(async () => {
  [browser, service] = await Promise.all([openBrowser(), openTestService(12)]);
});
after(async () => {
  closeBrowser();
  await service?.close();
});

async function readCount(page: Page): Promise<number> {
  const text = await page.locator('.counter[data-source="own"] .figure').innerText();
  return Number(text.replaceAll(',', ''));
}

/** Resolves when the post appears on the service's board. */
function captured(postId: string): Promise<void> {
  return waitUntil(() =>
    ['a', 'b'].some((accountId) =>
      service.app.board.find(accountId)?.recentPosts.some((post) => post.postId === postId),
    ),
  );
}

function postIds(page: Page): Promise<string[]> {
  return page
    .locator('.post')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-post') ?? ''));
}

/** Collects every current and future path point on the board, as the page formats it. */
function collectServed(): { readouts: Set<string>; stop(): void } {
  const readouts = new Set<string>();
  const count = (value: number | undefined) => value!.toLocaleString('en-US');
  const take = (snapshot: AccountSnapshot) => {
    for (const { forecast } of snapshot.events) {
      const { ts = [], p5 = [], p50 = [], p95 = [] } = forecast?.path ?? {};
      ts.forEach((_, i) => {
        readouts.add(`p95 ${count(p95[i])} p50 ${count(p50[i])} p5 ${count(p5[i])}`);
      });
    }
  };
  for (const accountId of ['a', 'b']) take(service.app.board.find(accountId)!);
  return { readouts, stop: service.app.board.listen(({ snapshot }) => take(snapshot)) };
}

async function takeDemoKey(): Promise<string> {
  const answer = await fetch(`${service.url}/demo-key`, { method: 'POST' });
  return ((await answer.json()) as { data: { key: string } }).data.key;
}

function fetchSignals(key: string): Promise<Response> {
  return fetch(`${service.url}/api/v1/signals/account_a`, { headers: { 'x-api-key': key } });
}

function waitForPost(page: Page, postId: string): Promise<void> {
  return page.locator(`[data-post="${postId}"]`).waitFor();
}

async function waitForCount(page: Page, least: number): Promise<void> {
  await page.waitForFunction((wanted) => {
    const text = document.querySelector('.counter[data-source="own"] .figure')?.textContent ?? '';
    return Number(text.replaceAll(',', '')) >= wanted;
  }, least);
}

describe('the live page', () => {
  it('shows a new post and the higher count once the post is captured', async () => {
    const { page, errors, close } = await visit(browser, service, { tier: 'PRO' });
    await page.locator('.post').first().waitFor();
    const before = await readCount(page);
    const { id } = service.simulator.injectPost({ accountId: 'a' });
    await captured(id);
    await waitForPost(page, id);
    await waitForCount(page, before + 1);
    await close();
    assert.deepEqual(errors, []);
  });

  it('shows only served values under the cursor', async () => {
    const served = collectServed();
    const { page, errors, close } = await visit(browser, service, { tier: 'PRO' });
    // The event that closes last has the longest remaining path.
    await page.locator('.rail-entry').last().click();
    const plot = page.locator('.running .u-over');
    await plot.waitFor();
    await page.locator('.chart-key [data-line="fan"]').waitFor();
    await plot.scrollIntoViewIfNeeded();
    const box = (await plot.boundingBox())!;
    let seen = 0;
    for (let share = 0.02; share < 1; share += 0.07) {
      await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
      const text = await page.locator('.running .chart-tip').innerText();
      const fan = /p95\s+[\d,]+\s+p50\s+[\d,]+\s+p5\s+[\d,]+/.exec(text)?.[0].replace(/\s+/g, ' ');
      if (!fan) continue;
      seen += 1;
      assert.ok(served.readouts.has(fan), `${text} was never served`);
    }
    served.stop();
    assert.ok(seen > 2, `only ${seen} points of the fan were under the cursor`);
    await close();
    assert.deepEqual(errors, []);
  });

  it('reports a lost connection, reconnects, and shows what it missed once', async () => {
    const { page, close } = await visit(browser, service, { tier: 'PRO' });
    await page.locator('.post').first().waitFor();
    await findLineUp(page).waitFor();
    const before = await readCount(page);
    const known = new Set(await postIds(page));
    const demoKey = await takeDemoKey();
    assert.equal((await fetchSignals(demoKey)).status, 200);
    await service.stop();
    const outage = page.locator('.notice', { hasText: 'No connection to the service.' });
    await outage.waitFor().catch(async () => assert.fail(await page.locator('#root').innerText()));
    assert.equal(await page.locator('.counter[data-source="own"]').getAttribute('data-stale'), 'true');
    const first = service.simulator.injectPost({ accountId: 'a' });
    const second = service.simulator.injectPost({ accountId: 'a' });
    await service.start();
    await waitForPost(page, first.id);
    await waitForPost(page, second.id);
    await waitForCount(page, before + 2);
    const ids = await postIds(page);
    assert.equal(new Set(ids).size, ids.length);
    for (const { id } of [first, second]) assert.ok(!known.has(id));
    // The demo key is lost with its process.
    assert.equal((await fetchSignals(demoKey)).status, 401);
    await close();
  });

  it('keeps its counts if a chart cannot be loaded, and draws it once the service is back', async () => {
    const { page, close } = await visit(browser, service, { hash: '#/about', tier: 'PRO' });
    await findLineUp(page).waitFor();
    await service.stop();
    await page.locator('.notice', { hasText: 'No connection to the service.' }).waitFor();
    await page.evaluate(() => location.assign('#/live'));
    await page.locator('.running').getByText('This chart could not be loaded').waitFor();
    assert.ok((await readCount(page)) > 0);
    await service.start();
    await page.locator('.running .u-over').waitFor();
    await close();
  });

  it('shows counts on the first screen of a phone, and what to do in the ladder without scrolling sideways', async () => {
    const viewport = { width: 390, height: 844 };
    const { page, close } = await visit(browser, service, { tier: 'PRO', viewport });
    await page.locator('.ladder .ladder-advice').nth(1).waitFor();
    const counts = await page
      .locator('.counter-value')
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().bottom + scrollY));
    assert.ok(counts.length === 3 && Math.max(...counts) <= viewport.height, counts.join());
    const ladder = await page.locator('.ladder').evaluate((table) => {
      const box = table.parentElement!;
      const shown = [...table.querySelectorAll('thead th')].filter((head) => head.clientWidth > 0);
      return { isWhole: box.scrollWidth <= box.clientWidth, heads: shown.map((head) => head.textContent) };
    });
    assert.deepEqual(ladder, { isWhole: true, heads: ['Bucket', 'Market', 'Model', 'Advice'] });
    await close();
  });

  it('is usable with the keyboard alone', async () => {
    const { page, close } = await visit(browser, service, { tier: 'PRO' });
    await page.locator('.rail-entry').nth(1).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
    await focusByTab(page, '.rail-entry');
    const title = await page.evaluate(
      () => document.activeElement?.querySelector('.rail-title')?.textContent,
    );
    await page.keyboard.press('Enter');
    await page.locator('.event-head h1', { hasText: title! }).waitFor();
    await focusByTab(page, '.plot-host');
    const shown = () => page.locator('.u-axis').first().isVisible();
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('0');
    assert.ok(await shown());
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
    assert.equal(outline, 'solid');
    await close();
  });

  it('does not animate for users who prefer reduced motion', async () => {
    const { page, close } = await visit(browser, service, { tier: 'PRO', reducedMotion: 'reduce' });
    await page.locator('.post').first().waitFor();
    const { id } = service.simulator.injectPost({ accountId: 'a' });
    await captured(id);
    await waitForPost(page, id);
    assert.deepEqual(await page.evaluate(() => document.getAnimations().length), 0);
    await close();
  });
});

describe('the live page of a still service', () => {
  const desk = openDesk();

  /** The same event with another count and the post that made it. */
  function publish(version: number, real: number): void {
    const snapshot = createSnapshot('a', { version });
    const [first, ...others] = snapshot.events;
    const events = [{ ...first!, counters: { ...first!.counters, real } }, ...others];
    const recentPosts = [createPost('a', -version), ...snapshot.recentPosts];
    publishChange(desk.service.board, 'a', { ...snapshot, events, recentPosts });
  }

  for (const screen of SCREENS)
    it(`does not shift its layout when a number changes, at ${screen.name}`, async () => {
      publish(2, 80);
      await desk.onPage({ ...screen, tier: 'PRO' }, async (page) => {
        for (const part of ['.post', '.ladder', '.running .u-over', '.chart-key [data-line="fan"]'])
          await page.locator(part).first().waitFor();
        const before = await readLayout(page);
        // The last count lies above the forecast's 5th percentile.
        for (const [version, count] of [81, 99].entries()) {
          publish(3 + version, count);
          await waitForCount(page, count);
          assert.deepEqual(await readLayout(page), before);
        }
      });
    });
});

function readLayout(page: Page): Promise<string[]> {
  return page.locator('.counter, .panel h2, .countdown').evaluateAll((items) =>
    items.map((item) => {
      const { x, y, width, height } = item.getBoundingClientRect();
      return [x, y, width, height].map(Math.round).join();
    }),
  );
}

describe('the live page without a stream', () => {
  it('polls slowly and says so', async () => {
    const { page, close } = await visit(browser, service, { hash: '#/about' });
    await page.route('**/stream/**', (route) =>
      route.fulfill({ status: 404, json: { detail: 'Not Found' } }),
    );
    await page.goto('about:blank');
    await page.clock.install();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/prediction/')) asked++;
    });
    await page.goto(`${service.url}/#/live`);
    await page.locator('.line-badge[data-line="polling"]').waitFor();
    await page.locator('.post').first().waitFor();
    await waitUntil(() => asked >= 2);
    // A minute later the page has not asked again.
    await page.clock.runFor(60_000);
    assert.equal(asked, 2);
    await close();
  });

  it('waits for its rate limit to reset, and says so', async () => {
    const { page, close } = await visit(browser, service, { hash: '#/about' });
    await page.route('**/stream/**', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '120' },
        json: { detail: 'Rate limit exceeded.' },
      }),
    );
    await page.reload();
    await page.locator('.notice', { hasText: 'hourly allowance used up' }).first().waitFor();
    assert.match(
      await page.locator('.notice-warn').first().innerText(),
      /Retrying in (2 min|1\d\d s|[4-9]\d s)/,
    );
    await page.getByRole('link', { name: 'Live', exact: true }).click();
    await page.locator('.rail-none', { hasText: 'Paused' }).first().waitFor();
    await page.getByText('wait for it to reset').waitFor();
    await close();
  });
});

async function focusByTab(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  assert.fail(`${selector} cannot be reached by Tab`);
}
