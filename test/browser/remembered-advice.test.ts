// Advice is given, ends, and stays visible with its outcome: on the live page, the event page, the command line, the
// API and for agents. The same job records it as in the service.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createAdvicePublisher } from '../../src/jobs/publish-advice.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createAdvisers } from '../../src/trade/advice/adviser.ts';
import { ACCOUNTS, createFeeds, createSnapshot, NOW_TS } from '../api/fixture.ts';
import { sampleForecast } from '../store/samples.ts';
import { connectAgent } from '../support/agent.ts';
import { runCommand } from '../support/run-command.ts';
import { findFaults, isWithinWidth } from './browser.ts';
import { openDesk, SCREENS } from './still-service.ts';

const EVENT_ID = 1001;
const BUCKET = '120-139';
const YES = 'yes-1001-2';
/** Advice begins at 41 cents; the price then rises to 87. */
const ORDER = `Yes ${BUCKET} at 41¢ or less`;

const desk = openDesk({}, async ({ store }) => {
  const row = { bucketProbabilities: [0.05, 0.25, 0.55, 0.15], marketPrices: [0.1, 0.3, 0.4, 0.2] };
  await store.forecasts.record([sampleForecast({ eventId: EVENT_ID, asofTs: NOW_TS - 60_000, ...row })]);
});

/** One open event with fresh feeds; the bucket trades at `price`, and no other bucket has a book. */
function publish(version: number, price: number, model: number): void {
  const { board, clock } = desk.service;
  const nowTs = clock.now();
  for (const accountId of ['a', 'b']) {
    const snapshot = createSnapshot(accountId, { version, takenTs: nowTs, feeds: createFeeds(nowTs) });
    const events = snapshot.events
      .filter(({ event }) => event.eventId === EVENT_ID)
      .map((state) => {
        const bucketProbabilities = [0.05, 0.9 - model, model, 0.05];
        const forecast = { ...state.forecast!, asofTs: nowTs, bucketProbabilities };
        return { ...state, oracleUpdatedTs: nowTs, forecast };
      });
    const quote = { ...createSnapshot('a').quotes[YES]!, bid: price - 0.01, ask: price + 0.01 };
    const quotes = accountId === 'a' ? { [YES]: quote } : {};
    board.replace({ ...snapshot, events, quotes });
  }
}

const publisher = () =>
  createAdvicePublisher({
    ...{
      account: ACCOUNTS[0],
      board: desk.service.board,
      store: desk.service.store,
      clock: desk.service.clock,
    },
    ...{ logger: silentLogger, getEvidence: () => undefined, onAdvised: async () => {} },
    adviser: createAdvisers()(ACCOUNTS[0]!),
  });

async function askAgent(): Promise<string> {
  const client = await connectAgent(desk.service.url, desk.service.keys.PRO);
  const { content } = await client.callTool({ name: 'what_changed', arguments: { since: '1d' } });
  await client.close();
  return (content as { text: string }[])[0]!.text;
}

async function runSignals(): Promise<string> {
  const { out } = await runCommand(['signals', '--url', desk.service.url, '--key', desk.service.keys.PRO]);
  return out;
}

async function readApi(key = desk.service.keys.PRO) {
  const { json } = await desk.service.call('/activity', { key });
  const kinds = json.data.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind !== 'post');
  return { kinds, last: json.last_advice[0] };
}

/** What Live says about the last advice, and the row of the event page. */
async function readPages(page: Page): Promise<[live: string, row: string]> {
  await page.goto(`${desk.service.url}/#/live/account_a/${EVENT_ID}`);
  await page.reload();
  const live = await page.locator('.last-advice').innerText();
  assert.ok(await isWithinWidth(page));
  assert.deepEqual(await findFaults(page), []);
  await page.goto(`${desk.service.url}/#/event/account_a/${EVENT_ID}`);
  const row = page.locator('.verdicts tr[data-outcome]').first();
  await row.waitFor();
  return [live, (await row.innerText()).replaceAll(/\s+/g, ' ')];
}

describe('advice that was published', () => {
  it('appears when it is given', async () => {
    const { keys } = desk.service;
    publish(10, 0.4, 0.55);
    await publisher().runOnce();
    const { kinds, last } = await readApi();
    assert.deepEqual([kinds, last.outcome, last.sentence], [['advice'], 'active', `${ORDER}, now 40¢`]);
    assert.deepEqual((await readApi(keys.FREE)).kinds, [], 'advice on an open event needs PRO');
    await desk.onPage({ tier: 'PRO', hash: '#/live/account_a/1001' }, async (page) => {
      await page.locator('.to-do-row', { hasText: `Yes of ${BUCKET} at 41¢ or less` }).waitFor();
      await page
        .locator('.activity-item[data-kind="advice"]', { hasText: `Advised ${ORDER}, now 40¢` })
        .waitFor();
    });
  });

  for (const { name, ...screen } of SCREENS)
    it(`stays visible with its price after it ended, at ${name}`, async () => {
      desk.service.clock.advance(180_000 - (desk.service.clock.now() - NOW_TS));
      publish(20, 0.87, 0.87);
      await publisher().runOnce();
      const { kinds, last } = await readApi();
      assert.deepEqual([...kinds].sort(), ['advice', 'advice_ended']);
      assert.deepEqual([last.outcome, last.price_at_end, last.gain_per_share], ['open', 0.87, 0.46]);
      await desk.onPage({ tier: 'PRO', ...screen }, async (page) => {
        const [live, row] = await readPages(page);
        assert.equal(live, `Last advice, 3 min ago: ${ORDER}, now 87¢`);
        assert.match(row, new RegExp(`Yes ${BUCKET} 41¢ 3 min 87¢ 87¢ open \\+\\$0\\.46`));
      });
      assert.match(await runSignals(), new RegExp(`^Last advice, 3 min ago, in .*: ${ORDER}, now 87¢$`, 'm'));
      assert.match(await askAgent(), new RegExp(`Last advice, 3 minutes ago .*: ${ORDER}, now 87¢\\.$`));
    });

  it('shows whether it won once the event has settled, also without PRO', async () => {
    const settled = { eventId: EVENT_ID, accountId: 'a', finalCount: 130, winningLabel: BUCKET };
    await desk.service.store.settlements.record({
      ...settled,
      source: 'oracle',
      settledTs: NOW_TS + 180_000,
    });
    publish(30, 0.87, 0.87);
    const { last } = await readApi(desk.service.keys.FREE);
    assert.deepEqual([last.outcome, last.gain_per_share], ['won', 0.59]);
    await desk.onPage({ tier: 'PRO' }, async (page) => {
      const [live, row] = await readPages(page);
      assert.match(live, new RegExp(`${ORDER}, won$`));
      assert.match(row, /won \+\$0\.59/);
    });
    assert.match(await runSignals(), new RegExp(`: ${ORDER}, won$`, 'm'));
    assert.match(await askAgent(), new RegExp(`: ${ORDER}, won\\.$`));
  });
});
