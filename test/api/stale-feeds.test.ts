// No response gives advice based on stale data. Makes each feed that advice depends on stale, alone and in pairs,
// for five minutes, one hour and six hours.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FeedName } from '../../src/domain/feed.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { shapeTrades } from '../../src/server/mcp/short-answers.ts';
import type { AccountSnapshot } from '../../src/state/snapshot.ts';
import { createSnapshot, NOW_TS } from './fixture.ts';
import { type Harness, startHarness } from './harness.ts';

const GROUNDS: FeedName[] = ['own', 'oracle', 'prices', 'forecast'];
const DURATIONS_MS = [5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];
const WALLET = `0x${'5c'.repeat(20)}`;
const DARK: FeedName[][] = GROUNDS.flatMap((first, i) => [
  [first],
  ...GROUNDS.slice(i + 1).map((second) => [first, second]),
]);
DARK.push(GROUNDS);

let harness: Harness;
let version = 1;

before(async () => {
  harness = await startHarness();
});
after(() => harness.close());

const pro = async (path: string) => (await harness.call(path, { key: harness.keys.PRO })).json;

/** Returns the account with these feeds last updated `silentMs` ago. */
function makeStale(feeds: readonly FeedName[], silentMs: number): void {
  const heardTs = NOW_TS - silentMs;
  for (const accountId of ['a', 'b']) {
    const whole = createSnapshot(accountId, { version: ++version });
    const snapshot: AccountSnapshot = {
      ...whole,
      feeds: whole.feeds.map((feed) =>
        feeds.includes(feed.feed) ? { ...feed, updatedTs: heardTs } : { ...feed, updatedTs: NOW_TS },
      ),
      events: whole.events.map((state) => ({
        ...state,
        oracleUpdatedTs: feeds.includes('oracle') ? heardTs : NOW_TS,
        forecast: { ...state.forecast!, asofTs: feeds.includes('forecast') ? heardTs : NOW_TS },
      })),
    };
    harness.board.replace(snapshot);
  }
}

async function listAdvice(): Promise<string[]> {
  const found: string[] = [];
  const report = (where: string, isAdvice: boolean) => isAdvice && found.push(where);
  for (const account of ['account_a', 'account_b']) {
    for (const event of (await pro(`/signals/${account}`)).data) {
      for (const s of event.signals) {
        report(
          `${account} signal ${s.bucket}`,
          s.action !== 'SKIP' || s.suggested_bet + s.kelly_fraction > 0,
        );
        report(`${account} advice ${s.bucket}`, s.advice.verdict !== 'NOTHING');
        report(`${account} reason ${s.bucket}`, !/^no advice: .* old/.test(s.reasons[0]));
      }
      report(`${account} strategies`, event.strategies.buy.length + event.strategies.sell.length > 0);
    }
    for (const { rows } of (await pro(`/signals/${account}/ladder`)).data)
      for (const row of rows) report(`${account} ladder`, row.action !== 'SKIP' || row.target_value > 0);
    for (const { markets } of (await pro(`/prediction/${account}`)).data)
      for (const market of markets) report(`${account} prediction`, market.signal !== 'HOLD');
  }
  report('what to do now', (await pro('/signals')).data.length > 0);
  const rebalancing = await pro(
    `/portfolio/account_a/rebalancing?wallet=${WALLET}&bankroll=5000&threshold=1`,
  );
  report('rebalancing', rebalancing.data.length > 0);
  for (const { positions } of (await pro(`/portfolio/account_a?wallet=${WALLET}&bankroll=5000`)).data)
    for (const { sizing } of positions)
      report('portfolio', sizing.action !== 'HOLD' || sizing.adjustment > 0);
  return found;
}

describe('feeds', () => {
  it('allow advice while they are fresh (control)', async () => {
    makeStale([], 0);
    assert.ok((await listAdvice()).length > 0);
  });

  for (const feeds of DARK) {
    for (const silentMs of DURATIONS_MS) {
      it(`stop all advice if ${feeds.join(' and ')} had no update for ${silentMs / MINUTE_MS} minutes`, async () => {
        makeStale(feeds, silentMs);
        assert.deepEqual(await listAdvice(), []);
      });
    }
  }

  it('leave counts and prices visible with their age when stale', async () => {
    makeStale(['prices'], HOUR_MS);
    const [record] = (await pro('/prediction/account_a')).data;
    assert.equal(record.real_counter, 80);
    assert.equal(record.markets[2].market_price, 0.4);
    assert.equal(record.markets[2].model_prob, 0.55);
    assert.deepEqual(
      [record.feeds.prices.stale, record.feeds.prices.age_s, record.feeds.own.stale],
      [true, 3600, false],
    );
    const { blind, nearest } = await pro('/signals');
    assert.equal(nearest, null);
    assert.match(blind[0].reason, /prices are 60 min old/);
    const { event } = createSnapshot('a').events[0]!;
    const served = blind.find(({ event_id }: { event_id: number }) => event_id === event.eventId);
    const labels = event.buckets.map(({ label }) => label);
    assert.deepEqual([served.event_title, served.buckets], [event.title, labels]);
    const { body } = shapeTrades({ data: [], blind: [served], nearest }, {});
    const [short] = body.blind as { event_title: string; buckets: string }[];
    assert.equal(short!.event_title, event.title);
    assert.equal(short!.buckets, `${labels.length} from ${labels[0]} to ${labels.at(-1)}`);
  });
});
