// The executor's Kalshi venue on the simulated exchange; Kalshi's own unmodified client is the judge of what the
// exchange has.

import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as kalshi from 'kalshi-typescript';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { DAY_MS, HOUR_MS, MICRO } from '../../src/domain/units.ts';
import { createManualClock, systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createExecutor } from '../../src/trading/executor/cycle.ts';
import { openJournal } from '../../src/trading/journal/journal.ts';
import type { AdviceItem, OrderRequest, Venue } from '../../src/trading/types.ts';
import { openKalshiVenue } from '../../src/trading/venue/kalshi/venue.ts';
import { runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const key = { keyId: 'member-1', privateKeyPem: privateKey };
const anchorTs = Math.floor((Date.now() - 10 * DAY_MS) / HOUR_MS) * HOUR_MS;
const clock = systemClock;
let server: SimulatorServer;
let venue: Venue;
let judge: { orders: kalshi.OrdersApi; portfolio: kalshi.PortfolioApi };
let ticker: string;

async function open(simulator: Simulator) {
  const started = await startSimulatorServer(simulator);
  const member = JSON.stringify({ keyId: key.keyId, publicKeyPem: publicKey });
  await fetch(`${started.urls.base}/admin/kalshi-members`, { method: 'POST', body: member });
  return { server: started, ticker: findTicker(simulator) };
}

before(async () => {
  ({ server, ticker } = await open(createSimulator({ seed: 3, anchorTs, clock })));
  venue = openKalshiVenue({ url: server.urls.kalshi, key, clock });
  const configuration = new kalshi.Configuration({
    basePath: server.urls.kalshi,
    apiKey: key.keyId,
    privateKeyPem: privateKey,
  });
  judge = { orders: new kalshi.OrdersApi(configuration), portfolio: new kalshi.PortfolioApi(configuration) };
});
after(() => server.close());

function findTicker({ kalshi: { venue: listed }, now }: Simulator): string {
  const nowTs = now();
  for (const contract of listed.contracts(nowTs)) {
    if (contract.kind === 'other' || contract.openTs > nowTs || contract.closeTs < nowTs + HOUR_MS) continue;
    for (const market of listed.markets(contract)) {
      const { bid, ask } = listed.price(market, nowTs);
      // The next post may decide the lowest bracket.
      const isOpen = market.index > 0 && bid !== null && ask !== null;
      if (isOpen && bid >= 0.2 && ask <= 0.6) return market.ticker;
    }
  }
  throw new Error('no market meets the conditions');
}

const token = (side: 'yes' | 'no') => `kalshi:${ticker}:${side}`;
const bookOf = async (tokenId: string) => (await venue.books([tokenId]))[0]!;

async function send(changes: Partial<OrderRequest>) {
  const prepared = await venue.prepare({
    tokenId: token('yes'),
    action: 'BUY',
    pricePips: 100,
    sizeMicro: 10 * MICRO,
    isNegRisk: false,
    expiresTs: clock.now() + 120_000,
    ...changes,
  });
  return { id: prepared.orderId, outcome: await venue.send(prepared) };
}

describe('the Kalshi venue', () => {
  it('reads both sides of a book, which mirror each other, with fee, tick and the other outcome', async () => {
    const [yes, no] = await venue.books([token('yes'), token('no')]);
    assert.equal(yes!.bids[0]!.pricePips + no!.asks[0]!.pricePips, 10_000);
    assert.ok(yes!.bids[0]!.pricePips < yes!.asks[0]!.pricePips);
    assert.deepEqual([yes!.tickPips, yes!.minOrderMicro, yes!.conditionId], [100, MICRO, ticker]);
    assert.equal(yes!.contracts!.otherTokenId, token('no'));
    assert.ok(yes!.contracts!.fee.rate > 0);
  });

  for (const side of ['yes', 'no'] as const)
    it(`rests, finds and cancels an order to buy ${side} under our own id`, async () => {
      const cash = await venue.cashMicro();
      const { id, outcome } = await send({ tokenId: token(side) });
      assert.deepEqual(outcome, { kind: 'accepted' });
      const { data } = await judge.orders.getOrders(ticker, undefined, undefined, undefined, 'resting');
      assert.deepEqual(
        data.orders.map((one) => [one.client_order_id, one.book_side]),
        [[id, side === 'yes' ? 'bid' : 'ask']],
      );
      assert.ok(data.orders[0]!.expiration_time, 'it ends by itself');
      const [open] = await venue.openOrders();
      const expected = {
        orderId: id,
        tokenId: token(side),
        action: 'BUY',
        pricePips: 100,
        sizeMicro: 10 * MICRO,
      };
      assert.deepEqual({ ...open, ...expected }, open);
      assert.equal(await venue.cashMicro(), cash, 'money that an open order holds back is still ours');
      assert.deepEqual(await venue.cancel([id]), [id]);
      assert.deepEqual(await venue.openOrders(), []);
      assert.equal((await venue.findOrder(id))!.isLive, false);
    });

  it('cancels everything in one request', async () => {
    const { id } = await send({});
    assert.deepEqual(await venue.cancelAll(), [id]);
    assert.deepEqual(await venue.openOrders(), []);
  });

  it('books fills as the exchange states them: whole cents of fees, final at once', async () => {
    const fromTs = clock.now();
    const [cash, { asks }] = [await venue.cashMicro(), await bookOf(token('yes'))];
    const { id } = await send({ pricePips: asks[0]!.pricePips, sizeMicro: 3 * MICRO });
    const [fill] = await venue.fillsSince(fromTs);
    const { data } = await judge.portfolio.getFills();
    assert.equal(fill!.statedFeeMicro, Math.round(1e6 * Number(data.fills[0]!.fee_cost)));
    assert.equal(fill!.statedFeeMicro! % 10_000, 0);
    assert.deepEqual([fill!.orderId, fill!.status, fill!.sizeMicro], [id, 'confirmed', 3 * MICRO]);
    const paid = 3 * asks[0]!.pricePips * 100 + fill!.statedFeeMicro!;
    assert.equal(await venue.cashMicro(), cash - paid);
    assert.deepEqual(
      [await venue.sharesMicro(token('yes')), await venue.sharesMicro(token('no'))],
      [3 * MICRO, 0],
    );
    const { bids } = await bookOf(token('yes'));
    await send({ action: 'SELL', pricePips: bids[0]!.pricePips, sizeMicro: 3 * MICRO });
    assert.equal(await venue.sharesMicro(token('yes')), 0);
    const reopened = openKalshiVenue({ url: server.urls.kalshi, key, clock });
    assert.deepEqual(
      (await reopened.fillsSince(fromTs)).map(({ action, tokenId }) => [action, tokenId]),
      [
        ['BUY', token('yes')],
        ['SELL', token('yes')],
      ],
      'a restarted venue knows what its orders were for',
    );
  });

  it('reports refusals in the words of the exchange, and an order with a known id as unknown', async () => {
    const refused = await send({ pricePips: 9900, sizeMicro: 5000 * MICRO });
    assert.deepEqual(refused.outcome, { kind: 'refused', reason: '400 insufficient_balance' });
    const prepared = await venue.prepare({
      ...{ tokenId: token('yes'), action: 'BUY', pricePips: 100, sizeMicro: MICRO, isNegRisk: false },
      expiresTs: clock.now() + 120_000,
    });
    assert.equal((await venue.send(prepared)).kind, 'accepted');
    const again = await venue.send(prepared);
    assert.deepEqual(again, { kind: 'unknown', reason: '409 order_already_exists' });
    await venue.cancelAll();
  });

  it('leaves the fills of other orders on the account out, and shows those orders as foreign', async () => {
    const request = {
      ...({ ticker, side: 'bid', price: '0.01', count: '1', client_order_id: randomUUID() } as const),
      time_in_force: kalshi.CreateOrderV2RequestTimeInForceEnum.GoodTillCanceled,
      self_trade_prevention_type: kalshi.SelfTradePreventionType.TakerAtCross,
    };
    const { data } = await judge.orders.createOrderV2(request);
    assert.equal((await venue.openOrders())[0]!.orderId, data.order_id);
    const { asks } = await bookOf(token('yes'));
    const before = await venue.fillsSince(0);
    const price = (asks[0]!.pricePips / 10_000).toFixed(2);
    await judge.orders.createOrderV2({ ...request, price, client_order_id: randomUUID() });
    assert.deepEqual(await venue.fillsSince(0), before);
    await judge.orders.cancelAllOrders();
  });
});

describe('a request to Kalshi', () => {
  const openWith = (answer: () => object) => {
    const asked: RequestInit[] = [];
    const ask = async (_: unknown, init?: RequestInit) => {
      asked.push(init!);
      return Response.json(answer());
    };
    return { asked, venue: openKalshiVenue({ url: 'http://kalshi.invalid', key, clock, fetch: ask }) };
  };

  it('is never redirected, and a list ends after a hundred pages', async () => {
    let page = 0;
    const endless = openWith(() => ({ orders: [], cursor: String(page++) }));
    await assert.rejects(endless.venue.openOrders(), /more than 100 pages/);
    assert.ok(endless.asked.length === 100 && endless.asked.every(({ redirect }) => redirect === 'error'));
    const circular = openWith(() => ({ orders: [], cursor: 'same' }));
    await assert.rejects(circular.venue.openOrders(), /lists itself/);
  });

  it('does not read the time from an error page', async () => {
    const ask = async () =>
      new Response('busy', { status: 502, headers: { date: new Date(0).toUTCString() } });
    const busy = openKalshiVenue({ url: 'http://kalshi.invalid', key, clock, fetch: ask });
    await assert.rejects(busy.time(), /502/);
  });

  it('does not take the confirmation of another order, or an answer about it, for its own', async () => {
    const { venue: confused } = openWith(() => ({ order_id: '1', client_order_id: 'other' }));
    assert.equal((await confused.send({ orderId: 'own', payload: '{}' })).kind, 'unknown');
    const other = { order_id: '2', ticker: 'A-B', fill_count_fp: '0.00', initial_count_fp: '1.00' };
    const order = { ...other, status: 'resting', book_side: 'bid', yes_price_dollars: '0.10' };
    const { venue: mixed } = openWith(() => ({ fills: [{ order_id: '1' }], cursor: '', order }));
    await assert.rejects(mixed.fillsSince(0), /answered about order 2 when asked about 1/);
  });
});

describe('npx tallycast trade --venue kalshi', () => {
  it('checks the key step by step, and needs --live to trade', async () => {
    const folder = makeTempFolder('kalshi');
    const file = join(folder, 'key.pem');
    writeFileSync(file, privateKey, { mode: 0o600 });
    const where = ['--venue', 'kalshi', '--exchange', server.urls.base, '--key-file', file];
    const wrong = await runCommand(['trade', 'doctor', ...where, '--key-id', 'stranger']);
    assert.match(wrong.out, /MISSING +key: 401 authentication_error: NOT_FOUND/);
    assert.match(wrong.out, /simulator only: POST .*kalshi-members/);
    const right = await runCommand(['trade', 'doctor', ...where, '--key-id', key.keyId]);
    assert.match(right.out, /ok +key: accepted\nok +funds: \d+\.\d\d USD\nready: .*--venue kalshi/);
    const paper = await runCommand(['trade', '--venue', 'kalshi']);
    assert.match(paper.err, /pass --live with --venue kalshi/);
  });
});

describe('an executor on Kalshi', () => {
  const startTs = Date.UTC(2026, 10, 18, 15);
  const moving = createManualClock(startTs);
  let local: Awaited<ReturnType<typeof open>>;
  let own: Venue;
  before(async () => {
    const simulator = createSimulator({ seed: 3, anchorTs: startTs - 10 * DAY_MS, clock: moving });
    local = await open(simulator);
    own = openKalshiVenue({ url: local.server.urls.kalshi, key, clock: moving });
  });
  after(() => local.server.close());

  it('leaves orders behind that end at their expiry, without any heartbeat', async () => {
    const { orderId, payload } = await own.prepare({
      ...{ tokenId: `kalshi:${local.ticker}:yes`, action: 'BUY', pricePips: 100, sizeMicro: MICRO },
      ...{ isNegRisk: false, expiresTs: moving.now() + 120_000 },
    });
    await own.send({ orderId, payload });
    moving.step(119_000);
    assert.equal((await own.findOrder(orderId))!.isLive, true);
    moving.step(2_000);
    assert.equal((await own.findOrder(orderId))!.isLive, false);
  });

  it('buys within its caps including fees, sells, and agrees with the exchange', async () => {
    const journal = openJournal(':memory:');
    const [yes, no] = [`kalshi:${local.ticker}:yes`, `kalshi:${local.ticker}:no`];
    let items: AdviceItem[] = [];
    const executor = createExecutor({
      ...{ venue: own, journal, clock: moving, logger: silentLogger, canaryFills: 0 },
      rules: {
        caps: { orderUsd: 5, eventUsd: 8, accountUsd: 100, dayUsd: 100, totalUsd: 100 },
        ...{ minGainPerUsd: 0.05, minSecondsLeft: 900, minPricePips: 200, maxPricePips: 9500 },
      },
      limits: { dayLossUsd: 100, totalLossUsd: 100 },
      readAdvice: async () => ({ madeTs: moving.now(), items, blockedBy: null }),
      readKillSwitch: () => null,
      isFlattening: () => false,
    });
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn++) {
        moving.step(6_000);
        assert.deepEqual((await executor.cycle()).halts, []);
      }
    };
    const [{ asks, bids } = assert.fail()] = await own.books([yes]);
    const advised: AdviceItem = {
      ...{ account: 'a', eventId: 1, bucket: 'b', outcome: 'Yes', action: 'BUY', tokenId: yes },
      ...{ limitPips: asks[0]!.pricePips, targetMicro: 200 * MICRO, depthMicro: null, gainPerUsd: 0.2 },
      ...{ probability: 0.5, secondsLeft: 7200, edgeKind: 'model', blockedBy: null },
    };
    items = [advised];
    await turns(4);
    const held = executor.books().positions.get(yes)!;
    assert.ok(held.costMicro > 4 * MICRO && held.costMicro <= 8 * MICRO, `${held.costMicro}, with fees`);
    assert.ok(executor.books().feesMicro > 0);
    items = [{ ...advised, outcome: 'No', tokenId: no, limitPips: 9000 }];
    assert.match((await executor.cycle()).plan.skipped[0]!.reason, /other outcome/);
    items = [{ ...advised, action: 'SELL', limitPips: bids[0]!.pricePips }];
    await turns(3);
    assert.equal(executor.books().positions.get(yes)!.confirmedMicro, 0);
    assert.equal(executor.books().cashMicro, await own.cashMicro());
    journal.close();
  });
});
