// One snapshot, every surface: the same side, shares and price, No trades included.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Browser } from 'playwright-core';
import { createPosition, createSnapshot, NOW_TS, WALLET } from '../api/fixture.ts';
import { sampleForecast } from '../store/samples.ts';
import { runCommand } from '../support/run-command.ts';
import { closeBrowser, openBrowser, visit } from './browser.ts';
import { openStillService, type StillService } from './still-service.ts';

const EVENT_ID = 1001;
const PLACE = `account_a/${EVENT_ID}`;

let browser: Browser;
let service: StillService;

before(async () => {
  [browser, service] = await Promise.all([openBrowser(), openStillService()]);
  await service.store.events.upsert(createSnapshot('a').events.map(({ event }) => event));
  await service.store.forecasts.record([
    sampleForecast({
      eventId: EVENT_ID,
      asofTs: NOW_TS - 60_000,
      countSoFar: 71,
      p50: 133,
      marketPrices: [0.1, 0.45, 0.4, 0.2],
      bucketProbabilities: [0.25, 0.25, 0.25, 0.25],
    }),
  ]);
});
after(async () => {
  closeBrowser();
  await service?.close();
});

interface Trade {
  side: string;
  shares: number;
  cents: number;
}

/** "Buy 12 No of 100-119 at 54¢ or less: …", or the short form without the bucket. */
function readTrade(text: string): Trade | null {
  const found = /Buy (\d+) (Yes|No)(?: of \S+)? at ([\d.]+)¢/.exec(text);
  return found && { shares: Number(found[1]), side: found[2]!, cents: Number(found[3]) };
}

interface Served {
  bucket: string;
  advice: { verdict: string; shares: number; limit_price: number; sentence: string };
}

async function listServed(): Promise<Served[]> {
  const { json } = await service.call('/signals/account_a', { key: service.keys.PRO });
  const own = json.data.find(({ event_id }: { event_id: number }) => event_id === EVENT_ID);
  return own.signals.filter(({ advice }: Served) => advice.verdict.startsWith('BUY'));
}

function toTrades(served: readonly Served[]): [string, Trade][] {
  return served
    .map(({ bucket, advice }): [string, Trade] => [
      bucket,
      {
        side: advice.verdict === 'BUY_NO' ? 'No' : 'Yes',
        shares: advice.shares,
        cents: Number((100 * advice.limit_price).toFixed(1)),
      },
    ])
    .sort();
}

async function readPage(hash: string, rows: string, text: string): Promise<[string, Trade][]> {
  const { page, close } = await visit(browser, service, { hash, tier: 'PRO' });
  await page
    .locator(`${rows} ${text}`, { hasText: /Buy \d+/ })
    .first()
    .waitFor();
  const found = await page
    .locator(rows)
    .evaluateAll(
      (elements, inner) =>
        elements.map((element) => [
          element.getAttribute('data-bucket') ?? '',
          element.querySelector(inner)?.textContent ?? '',
        ]),
      text,
    );
  await close();
  return found
    .flatMap(([bucket, words]): [string, Trade][] => {
      const trade = readTrade(words!);
      return trade ? [[bucket!, trade]] : [];
    })
    .sort();
}

describe('advice of one snapshot', () => {
  it('contains a purchase of Yes and one of No', async () => {
    const sides = new Set(toTrades(await listServed()).map(([, { side }]) => side));
    assert.deepEqual([...sides].sort(), ['No', 'Yes']);
  });

  it('is the same on Live, Signals, Event and What-if', async () => {
    const expected = toTrades(await listServed());
    assert.deepEqual(
      await readPage(`#/live/${PLACE}`, '.ladder tr[data-bucket]', '.ladder-advice'),
      expected,
      'Live',
    );
    const signals = await readPage('#/signals', '.panel:has(h2) tr[data-bucket]', '.advice-sentence');
    for (const trade of expected)
      assert.ok(
        signals.some((other) => isDeepStrictEqual(other, trade)),
        'Signals',
      );
    assert.deepEqual(
      await readPage(`#/event/${PLACE}`, '.advice-now [data-bucket]', '.advice-sentence'),
      expected,
      'Event',
    );
    assert.deepEqual(
      await readPage(`#/what-if/${PLACE}`, '.advice-then [data-bucket]', '.advice-sentence'),
      expected,
      'What if',
    );
  });

  it('is the same in /opportunities', async () => {
    const { page, close } = await visit(browser, service, { hash: '#/signals', tier: 'PRO' });
    await page.locator('.to-do-sentence').first().waitFor();
    const sentences = await page.locator('.to-do-sentence').allInnerTexts();
    const { json } = await service.call('/signals?limit=3', { key: service.keys.PRO });
    assert.deepEqual(
      sentences,
      json.data.map(({ sentence }: { sentence: string }) => sentence),
    );
    await close();
  });

  it('is the same beside a position', async () => {
    const served = await listServed();
    service.wallet.positions = [0, 1, 2].map((index) => createPosition(EVENT_ID, index, 'Yes'));
    const { json } = await service.call(`/portfolio/account_a?wallet=${WALLET}&bankroll=1000`, {
      key: service.keys.PRO,
    });
    const own = json.data.find(({ event }: { event: { id: number } }) => event.id === EVENT_ID);
    assert.ok(own.positions.length > 0);
    for (const position of own.positions) {
      const advised = served.find(({ bucket }) => bucket === position.bucket);
      if (advised) assert.equal(position.advice.sentence, advised.advice.sentence);
      else assert.ok(!position.advice.verdict.startsWith('BUY'));
    }
  });

  it('is the same on the command line', async () => {
    const { out } = await runCommand([
      'signals',
      '--url',
      service.url,
      '--key',
      service.keys.PRO,
      '--account',
      'a',
    ]);
    for (const { advice } of await listServed()) assert.ok(out.includes(advice.sentence), advice.sentence);
  });
});
