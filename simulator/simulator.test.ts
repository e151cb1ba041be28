import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLadderProblem, parseBucketLabel } from '../src/domain/bucket-label.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/domain/units.ts';
import { parseFault } from './faults/fault-registry.ts';
import { ask, type Json, NOW_TS, openSimulator } from './simulator.test-support.ts';
import type { Simulator } from './simulator.ts';
import { DEMO_WALLET } from './trading/wallets.ts';

async function get<T>(simulator: Simulator, path: string): Promise<T> {
  const response = await ask(simulator, path);
  assert.equal(response.status, 200, `${path}: ${response.status}`);
  return (await response.json()) as T;
}

function tokensOf(market: Json): string[] {
  return market.version === 'v2' ? market.positionIds : JSON.parse(market.clobTokenIds);
}

describe('simulator', () => {
  it('returns the same responses for the same seed, and different ones for another', async () => {
    const paths = [
      '/x/2/users/9001001/tweets?max_results=100',
      '/mastodon/api/v1/accounts/107780257626128001/statuses',
      '/oracle/api/users/account_a_handle/trackings',
      '/gamma/events?tag_id=972&closed=false&limit=100',
      `/data/v2/positions?user=${DEMO_WALLET}`,
    ];
    const [one, two, other] = [
      openSimulator().simulator,
      openSimulator().simulator,
      openSimulator({ seed: 8 }).simulator,
    ];
    for (const path of paths) {
      const first = await get(one, path);
      assert.deepEqual(first, await get(two, path));
      assert.notDeepEqual(first, await get(other, path));
    }
  });

  it('reproduces the same history after a restart at a later time', () => {
    const { simulator, clock } = openSimulator();
    simulator.now();
    clock.advance(3 * DAY_MS);
    const later = openSimulator({}, NOW_TS + 3 * DAY_MS).simulator;
    assert.deepEqual(later.truePosts(0, Infinity), simulator.truePosts(0, Infinity));
    assert.deepEqual(later.trueEvents(0), simulator.trueEvents(0));
  });

  it('has 120 days of history and 30 settled events per account from the start', () => {
    const { simulator } = openSimulator();
    for (const accountId of ['a', 'b']) {
      const posts = simulator.truePosts(0, Infinity, accountId);
      assert.ok(NOW_TS - posts[0]!.createdTs > 120 * DAY_MS);
      const settled = simulator
        .trueEvents(0)
        .filter((event) => event.accountId === accountId && event.final !== null);
      assert.ok(settled.length >= 30, `${accountId}: ${settled.length}`);
      assert.ok(settled.every((event) => event.winningLabel !== null));
    }
  });

  it('posts at the configured rates and mix', () => {
    const posts = [1, 2, 3, 4].flatMap((seed) => openSimulator({ seed }).simulator.truePosts(0, Infinity));
    const perDay = (accountId: string) =>
      posts.filter((post) => post.accountId === accountId && post.isCounted).length / 4 / 150.6;
    assert.ok(Math.abs(perDay('a') - 36) < 14, `a: ${perDay('a')}`);
    assert.ok(Math.abs(perDay('b') - 20) < 5, `b: ${perDay('b')}`);
    const counted = posts.filter((post) => post.accountId === 'a' && post.isCounted);
    const share = (kind: string) => counted.filter((post) => post.kind === kind).length / counted.length;
    assert.ok(Math.abs(share('repost') - 0.57) < 0.03);
    assert.ok(Math.abs(share('quote') - 0.355) < 0.03);
    assert.ok(posts.some((post) => post.editIds.length > 0));
    assert.ok(
      posts.some((post) => post.deletedTs !== null && post.deletedTs - post.createdTs <= 10 * SECOND_MS),
    );
  });

  it('imports into the oracle with the measured lag', () => {
    const posts = [1, 2, 3].flatMap((seed) => openSimulator({ seed }).simulator.truePosts(0, Infinity, 'a'));
    const lags = posts
      .filter((post) => post.importedTs !== null)
      .map((post) => (post.importedTs! - post.visibleTs) / SECOND_MS)
      .sort((left, right) => left - right);
    const quantile = (share: number) => lags[Math.floor(share * lags.length)]!;
    assert.ok(Math.abs(quantile(0.5) - 143) < 12, `median ${quantile(0.5)}`);
    assert.ok(Math.abs(quantile(0.9) - 265) < 25, `p90 ${quantile(0.9)}`);
    assert.ok(quantile(0.995) > 12 * 3600, 'some posts are backfilled days later');
  });

  it('lists complete ladders with prices that sum to about one, more a week ahead', async () => {
    const { simulator } = openSimulator();
    const events = await get<Json[]>(
      simulator,
      '/gamma/events?tag_id=972&closed=false&archived=false&limit=100',
    );
    const main = events.filter((event) => / # /.test(event.title) && !/brackets$/.test(event.slug));
    assert.ok(main.length >= 10);
    for (const event of main) {
      const ranges = event.markets.map((market: Json) => parseBucketLabel(market.groupItemTitle));
      assert.equal(findLadderProblem(ranges), null, event.title);
      const sum = event.markets.reduce(
        (total: number, market: Json) => total + Number(JSON.parse(market.outcomePrices)[0]),
        0,
      );
      assert.ok(sum > 0.98 && sum < 1.12, `${event.title}: ${sum}`);
      assert.ok(Date.parse(event.startDate) < Date.parse(event.endDate) - 3 * DAY_MS);
    }
  });

  it('moves prices when posts arrive', async () => {
    const { simulator, clock } = openSimulator();
    const [event] = simulator.trueEvents(simulator.now()).filter((one) => one.accountId === 'a');
    const read = async () => {
      const found = await get<Json>(simulator, `/gamma/events/${event!.eventId}`);
      return found.markets.map((market: Json) => market.outcomePrices).join();
    };
    const before = await read();
    for (let i = 0; i < 25; i++) simulator.injectPost({ accountId: 'a' });
    clock.advance(20 * SECOND_MS);
    assert.notEqual(await read(), before);
    assert.equal(
      simulator.trueEvents(simulator.now()).find((one) => one.eventId === event!.eventId)!.counted,
      event!.counted + 25,
    );
  });

  it('gives the demo wallet Yes, No, dust and worthless positions across both accounts', async () => {
    const { simulator } = openSimulator();
    const active = new Map(
      simulator.trueEvents(simulator.now()).map((event) => [event.slug, event.accountId]),
    );
    const { data } = await get<Json>(simulator, `/data/v2/positions?user=${DEMO_WALLET}&limit=500`);
    const shown = data as Json[];
    const kinds = new Set(shown.map((row) => `${active.get(row.event_slug)}:${row.outcome}`));
    for (const kind of ['a:Yes', 'a:No', 'b:Yes', 'b:No']) assert.ok(kinds.has(kind), kind);
    assert.ok(shown.some((row) => row.current_size < 1));
    assert.ok(shown.some((row) => row.event_id === ''));
    const lost = `/data/v2/positions?user=${DEMO_WALLET}&status=REDEEMABLE_LOST`;
    assert.ok((await get<Json>(simulator, lost)).data.some((row: Json) => row.current_price === 0));
    assert.deepEqual((await get<Json>(simulator, `/data/v2/positions?user=0x${'1'.repeat(40)}`)).data, []);
  });

  it('publishes the price to beat a few seconds after an up-or-down window opens', async () => {
    const startTs = Math.floor(NOW_TS / (15 * MINUTE_MS)) * 15 * MINUTE_MS;
    const { simulator, clock } = openSimulator({}, startTs);
    const path = `/gamma/events/slug/btc-updown-15m-${startTs / 1000}`;
    assert.equal((await get<Json>(simulator, path)).eventMetadata, undefined);
    clock.advance(31 * SECOND_MS);
    assert.equal(typeof (await get<Json>(simulator, path)).eventMetadata.priceToBeat, 'number');
    clock.advance(20 * MINUTE_MS);
    const closed = await get<Json>(simulator, path);
    assert.equal(closed.closed, true);
    const isUp = closed.eventMetadata.finalPrice >= closed.eventMetadata.priceToBeat;
    const { data } = await get<Json>(simulator, `/data/v2/resolutions?event_id=${closed.id}`);
    assert.deepEqual(data[0].payouts, isUp ? [1_000_000, 0] : [0, 1_000_000]);
  });

  it('rejects X requests without a credential', async () => {
    const { simulator } = openSimulator({ bearerToken: 'right' });
    const statusWith = async (token: string, of = simulator) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await ask(of, '/x/2/users/9001001/tweets', { headers })).status;
    };
    assert.equal(await statusWith('wrong'), 401);
    assert.equal(await statusWith('right'), 200);
    assert.equal(await statusWith('any', openSimulator().simulator), 401);
  });

  it('rejects X post fields that the specification lists as expansions', async () => {
    const { simulator } = openSimulator();
    const path = '/x/2/users/9001001/tweets?post.fields=created_at';
    assert.equal((await ask(simulator, `${path}&expansions=author_id`)).status, 200);
    assert.equal((await ask(simulator, `${path},author_id`)).status, 400);
  });
});

describe('price histories', () => {
  it('end at the settled price and agree with the book while open', async () => {
    const { simulator } = openSimulator();
    const settled = simulator
      .trueEvents(0)
      .find((event) => event.final !== null && event.endTs > NOW_TS - 10 * DAY_MS)!;
    const event = await get<Json>(simulator, `/gamma/events/${settled.eventId}`);
    const won = event.markets.find((market: Json) => market.lastTradePrice > 0.99);
    assert.equal(won.groupItemTitle, settled.winningLabel);
    const [token] = tokensOf(won);
    const { history } = await get<Json>(
      simulator,
      `/clob/prices-history?market=${token}&interval=max&fidelity=720`,
    );
    assert.ok(history.length >= 4);
    const finer = await get<Json>(simulator, `/clob/prices-history?market=${token}&interval=max&fidelity=60`);
    assert.deepEqual(finer.history, [], 'no finer step for a closed market');
    assert.ok(history.at(-1).p > 0.5);
    assert.ok(history.every((point: Json) => point.p >= 0 && point.p <= 1));
  });
});

describe('stalled oracle', () => {
  it('imports nothing for the length of the stall and catches up afterwards', () => {
    const { simulator, clock } = openSimulator({ faults: [parseFault('oracle-stall=40h')] });
    simulator.now();
    clock.advance(39 * HOUR_MS);
    const since = (posts: ReturnType<Simulator['truePosts']>) =>
      posts.filter((post) => post.importedTs !== null && post.importedTs > NOW_TS + MINUTE_MS);
    assert.equal(since(simulator.truePosts(0, Infinity)).length, 0);
    clock.advance(2 * HOUR_MS);
    assert.ok(since(simulator.truePosts(0, Infinity)).length > 20);
  });
});
