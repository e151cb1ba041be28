// The trader's own page in the browser: the dashboard's design, accessible, and complete on a phone.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { run } from '../../src/cli/commands/trade.ts';
import { MICRO } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { BookedFill } from '../../src/trading/books/books.ts';
import { type Intent, keepMarks, openJournal } from '../../src/trading/journal/journal.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { closeBrowser, findFaults, isWithinWidth, openBrowser, visit } from './browser.ts';
import { SCREENS } from './still-service.ts';

const NOW_TS = Date.UTC(2026, 10, 17, 15);
const STEP_MS = 300_000;

let browser: Browser;
let url: string;
let serving: Promise<unknown>;
const closing = new AbortController();

before(async () => {
  const data = makeTempFolder('trading-page');
  fillJournal(join(data, 'journal.sqlite'));
  const opened = Promise.withResolvers<string>();
  const notes = { write: (text: string) => opened.resolve(/http:\S+(?=\/)/.exec(text)![0]) };
  const terminal = { env: {}, clock: systemClock, output: notes, notes, stopSignal: () => closing.signal };
  serving = run(['page', '--data', data, '--port', '0'], terminal);
  [browser, url] = await Promise.all([openBrowser(), opened.promise]);
});
after(async () => {
  closeBrowser();
  closing.abort();
  await serving;
});

/** Two purchases, one of them sold in part, and one order that is still open. */
function fillJournal(path: string): void {
  const journal = openJournal(path);
  journal.addEntry({ kind: 'start', ts: NOW_TS - 50 * STEP_MS, cashMicro: 500 * MICRO });
  const order = (orderId: string, bucket: string, pricePips: number, part: Partial<Intent> = {}): Intent => ({
    ...{ orderId, tokenId: `token ${bucket}`, action: 'BUY', pricePips, sizeMicro: 20 * MICRO },
    ...{
      createdTs: NOW_TS - 40 * STEP_MS,
      updatedTs: NOW_TS,
      state: 'closed',
      reason: '',
      isReleased: true,
      maxFeeMicro: null,
      matchedMicro: 0,
    },
    ...{ account: 'account_b', eventId: 1, bucket, outcome: 'Yes', edgeKind: 'fact', advisedPips: pricePips },
    ...{ probability: 0.9, gainPerUsd: 0.1, conditionId: 'c', expiresTs: NOW_TS + STEP_MS, ...part },
  });
  const buy = order('o1', '40-49', 5700);
  const no = order('o2', '30-39', 6500, { outcome: 'No' });
  const sell = order('o3', '40-49', 8600, { action: 'SELL', sizeMicro: 5 * MICRO });
  journal.addIntent(order('o4', '50-59', 1200, { state: 'open', isReleased: false }));
  for (const [i, intent] of [buy, no, sell].entries()) {
    journal.addIntent(intent);
    const { orderId, tokenId, action, pricePips, sizeMicro } = intent;
    journal.saveFill({
      ...{ fillId: `f${i}`, orderId, tokenId, action, pricePips, sizeMicro, isTaker: true },
      ...{ status: 'confirmed', ts: NOW_TS - (40 - 12 * i) * STEP_MS, feeUsdMicro: 0, feeSharesMicro: 0 },
    } as BookedFill);
  }
  for (let i = 40; i >= 0; i--) {
    const ts = NOW_TS - i * STEP_MS;
    const marks = new Map([
      [buy.tokenId, 8600 - 60 * i],
      [no.tokenId, 9800 - 80 * i],
    ]);
    journal.addEquity({ ts, equityMicro: (510 - i / 4) * MICRO, cashMicro: 480 * MICRO });
    journal.addPrices({ ts, marks });
    if (i === 0) keepMarks(journal, { ts, marks });
  }
  journal.setNote('last-turn', '2026-11-17 15:00 UTC: 1 open order, nothing to do');
  journal.close();
}

for (const { name, ...screen } of SCREENS) {
  describe(`the trading page at ${name}`, () => {
    it('shows equity, open orders, positions and fills in the dashboard’s design', async () => {
      const seen = await visit(browser, { url, keyOf: () => null }, { hash: '', ...screen });
      const { page } = seen;
      for (const title of ['Equity', 'Open orders', 'Positions at the market', 'Fills on the price'])
        await page.getByRole('heading', { name: title }).waitFor();
      await page.getByText('Buy account_b 50-59 Yes, event 1').waitFor();
      assert.equal(await page.locator('.chart').count(), 3, 'equity, and one chart per traded bucket');
      assert.equal(await page.locator('.chart [data-action="SELL"]').count(), 1);
      const font = await page.evaluate(async () => (await document.fonts.ready).check('16px Geist'));
      assert.ok(font, 'the shared font is loaded');
      assert.deepEqual(await findFaults(page), []);
      assert.ok(await isWithinWidth(page));
      await seen.close();
      assert.deepEqual([seen.errors, seen.strays], [[], []]);
    });
  });
}

describe('the trading page without its program', () => {
  it('says from when its figures are', async () => {
    const { name: _, ...screen } = SCREENS[0]!;
    const { page, close } = await visit(browser, { url, keyOf: () => null }, { hash: '', ...screen });
    await page.getByRole('heading', { name: 'Equity' }).waitFor();
    await page.route('**/*', (route) => route.abort());
    await page
      .getByText(/No connection to this page's program\. The figures are from \d\d:\d\d:\d\d UTC\./)
      .waitFor();
    await close();
  });
});
