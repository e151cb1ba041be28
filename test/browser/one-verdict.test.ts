// Every surface shows the same side, shares and price for one snapshot, including No purchases.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createWatcher } from '../../src/alerts/rules/watcher.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createBoard } from '../../src/state/board.ts';
import { createAdvisers } from '../../src/trade/advice/adviser.ts';
import { ACCOUNTS, createPosition, createSnapshot, NOW_TS, WALLET } from '../api/fixture.ts';
import { sampleForecast } from '../store/samples.ts';
import { connectAgent } from '../support/agent.ts';
import { waitUntil } from '../support/boot.ts';
import { evidenceOf } from '../support/priced-event.ts';
import { runCommand } from '../support/run-command.ts';
import { visit } from './browser.ts';
import { openDesk } from './still-service.ts';

const EVENT_ID = 1001;
const PLACE = `account_a/${EVENT_ID}`;

const desk = openDesk({}, async ({ store }) => {
  await store.events.upsert(createSnapshot('a').events.map(({ event }) => event));
  await store.forecasts.record([
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

interface Trade {
  side: string;
  shares: number;
  cents: number;
}

/** Parses "Buy 12 No of 100-119 at 54¢ or less: …", or the short form without the bucket. */
function readTrade(text: string): Trade | null {
  const found = /Buy (\d+) (Yes|No)(?: of \S+)? at ([\d.]+)¢/.exec(text);
  return found && { shares: Number(found[1]), side: found[2]!, cents: Number(found[3]) };
}

interface Served {
  bucket: string;
  advice: { verdict: string; shares: number; limit_price: number; sentence: string };
}

async function listAll(): Promise<Served[]> {
  const { json } = await desk.service.call('/signals/account_a', { key: desk.service.keys.PRO });
  return json.data.find(({ event_id }: { event_id: number }) => event_id === EVENT_ID).signals;
}

async function listHeld(): Promise<Served[]> {
  const { json } = await desk.service.call(`/portfolio/account_a?wallet=${WALLET}&bankroll=1000`, {
    key: desk.service.keys.PRO,
  });
  return json.data.find(({ event }: { event: { id: number } }) => event.id === EVENT_ID).positions;
}

async function listServed(): Promise<Served[]> {
  return (await listAll()).filter(({ advice }) => advice.verdict.startsWith('BUY'));
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

/** Reads the trades in these rows, by bucket. */
async function readPage(hash: string, rows: string, text: string): Promise<[string, Trade][]> {
  const { page, close } = await visit(desk.browser, desk.service, { hash, tier: 'PRO' });
  const advised = page.locator(rows).filter({ has: page.locator(text, { hasText: /Buy \d+/ }) });
  await advised.first().waitFor();
  const found: [string, Trade][] = [];
  for (const row of await advised.all()) {
    const words = (await row.locator(text).textContent()) ?? '';
    found.push([(await row.getAttribute('data-bucket')) ?? '', readTrade(words)!]);
  }
  await close();
  return found.sort();
}

async function askAgent(name: string, args: Record<string, unknown>): Promise<string> {
  const { url, keys } = desk.service;
  const client = await connectAgent(url, keys.PRO, { versionNegotiation: { mode: 'auto' } });
  const { content } = await client.callTool({ name, arguments: args });
  await client.close();
  return JSON.stringify(content);
}

describe('the advice in one snapshot', () => {
  it('contains a Yes purchase and a No purchase', async () => {
    const sides = new Set(toTrades(await listServed()).map(([, { side }]) => side));
    assert.deepEqual([...sides].sort(), ['No', 'Yes']);
  });

  it('is the same on Live, Signals, Event and What-if', async () => {
    const expected = toTrades(await listServed());
    for (const [hash, rows, text] of [
      [`#/live/${PLACE}`, '.ladder tr[data-bucket]', '.ladder-advice'],
      [`#/event/${PLACE}`, '.advice-now [data-bucket]', '.advice-sentence'],
      [`#/what-if/${PLACE}`, '.advice-then [data-bucket]', '.advice-sentence'],
    ] as const)
      assert.deepEqual(await readPage(hash, rows, text), expected, hash);
    // This page lists other events too.
    const signals = await readPage('#/signals', '.panel:has(h2) tr[data-bucket]', '.advice-sentence');
    for (const trade of expected) assert.ok(signals.some((other) => isDeepStrictEqual(other, trade)));
  });

  it('is the same in the list of what to do now', async () => {
    await desk.onPage({ hash: '#/signals', tier: 'PRO' }, async (page) => {
      await page.locator('.to-do-sentence').first().waitFor();
      const { json } = await desk.service.call('/signals?limit=3', { key: desk.service.keys.PRO });
      const served = json.data.map(({ sentence }: { sentence: string }) => sentence);
      assert.deepEqual(await page.locator('.to-do-sentence').allInnerTexts(), served);
    });
  });

  it('is the same for a position, in the API and on the portfolio page', async () => {
    const all = await listAll();
    desk.service.wallet.positions = [0, 1, 2].map((index) => createPosition(EVENT_ID, index, 'Yes'));
    const held = new Map((await listHeld()).map(({ bucket, advice }) => [bucket, advice]));
    assert.equal(held.size, 3);
    for (const [bucket, advice] of held) {
      const own = all.find((other) => other.bucket === bucket)!.advice;
      assert.equal(advice.verdict, own.verdict);
      if (own.verdict === 'NOTHING') assert.match(advice.sentence, /^Keep: /);
      else assert.equal(advice.sentence, own.sentence);
    }
    await desk.onPage({ hash: '#/portfolio', tier: 'PRO' }, async (page) => {
      await page.getByLabel('Wallet address').fill(WALLET);
      const rows = page.locator('tr[data-bucket]');
      await rows.locator('.advice-sentence').first().waitFor();
      for (const row of await rows.all()) {
        const { sentence } = held.get((await row.getAttribute('data-bucket'))!)!;
        assert.equal(await row.locator('.advice-sentence').textContent(), sentence);
      }
    });
  });

  it('is the same for an agent, including No purchases', async () => {
    const texts = [
      await askAgent('get_signals', { account: 'account_a', event_id: EVENT_ID }),
      await askAgent('get_ladder', { account: 'account_a' }),
    ];
    const served = await listServed();
    for (const { advice } of served)
      for (const text of texts) assert.ok(text.includes(advice.sentence), `${advice.sentence} in ${text}`);
    // The tool lists the best trades across accounts, as many as fit.
    const best = await askAgent('what_to_trade', {});
    assert.ok(served.some(({ advice }) => best.includes(advice.sentence)));
  });

  it('is the same in alerts', async () => {
    const { store } = desk.service;
    const { keyId } = await desk.service.issue('PRO');
    await store.rules.insert({
      ...{ ruleId: 'rul_one_verdict', keyId, kind: 'advice', accountId: 'a', eventId: null, threshold: null },
      ...{ channelIds: [], quiet: null, mostPerHour: 100, createdTs: NOW_TS, topic: null },
    });
    const clock = createManualClock(NOW_TS);
    const board = createBoard();
    // Start without books, so that advice first appears with the snapshot that the other surfaces show.
    board.replace({ ...createSnapshot('a'), version: 1, quotes: {} });
    const options = { board, store, publicUrl: '', clock, wallClock: clock, logger: silentLogger };
    const watcher = createWatcher({
      ...options,
      accounts: ACCOUNTS,
      adviserOf: createAdvisers(),
      onPending: () => {},
    });
    watcher.start();
    const until = (isSo: () => Promise<boolean>) =>
      waitUntil(async () => {
        await clock.advanceAsync(100);
        return isSo();
      });
    await until(async () => (await store.watch.findMark('a')) !== undefined);
    board.replace({ ...createSnapshot('a'), version: 2 });
    const served = await listServed();
    const list = () => store.alerts.listPage(keyId, { after: null, limit: 100 });
    await until(
      async () => (await list()).filter(({ eventId }) => eventId === EVENT_ID).length >= served.length,
    );
    await watcher.stop();
    const texts = (await list()).map(({ title, text }) => `${title} ${text}`);
    for (const { advice } of served) {
      const [order, reason] = advice.sentence.split(': ');
      const found = texts.find((text) => text.includes(order!));
      assert.ok(
        found?.toLowerCase().includes(reason!.toLowerCase()),
        `${advice.sentence} in ${texts.join('; ')}`,
      );
    }
  });

  it('is the same on the command line', async () => {
    const { url, keys } = desk.service;
    const { out } = await runCommand(['signals', '--url', url, '--key', keys.PRO, '--account', 'a']);
    for (const { advice } of await listServed()) assert.ok(out.includes(advice.sentence), advice.sentence);
  });
});

describe('an event without advice', () => {
  it('shows its largest disagreement in one sentence on Live, Event, API, command line and to agents', async () => {
    const { service } = desk;
    for (const accountId of ['a', 'b']) {
      const snapshot = createSnapshot(accountId, { version: 50, evidence: evidenceOf(0, 1) });
      const events = snapshot.events.filter(({ event }) => event.eventId === EVENT_ID);
      service.board.replace({ ...snapshot, events });
    }
    const { sentence } = (await service.call('/signals', { key: service.keys.PRO })).json.disagreement;
    assert.match(sentence, /^Yes \S+ is worth \d+¢ to the model and costs \d+¢\. Not advised: /);
    const { json } = await service.call('/signals/account_a', { key: service.keys.PRO });
    assert.equal(json.data[0].disagreement, sentence);
    await desk.onPage({ hash: `#/live/${PLACE}`, tier: 'PRO' }, async (page) => {
      assert.ok((await page.locator('.to-do-none').innerText()).endsWith(`: ${sentence}`));
      await page.evaluate((hash) => location.assign(hash), `#/event/${PLACE}`);
      const text = await page.locator('.advice-now p').innerText();
      assert.equal(text, `No trade now. Largest disagreement: ${sentence}`);
    });
    const { out } = await runCommand(['signals', '--url', service.url, '--key', service.keys.PRO]);
    assert.ok(out.includes(sentence), out);
    for (const name of ['what_to_trade', 'get_signals'])
      assert.ok((await askAgent(name, { account: 'account_a' })).includes(sentence), name);
  });
});
