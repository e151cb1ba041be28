import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { systemClock } from '../../../runtime/clock.ts';
import type { Fill, Venue, VenueOrder } from '../../types.ts';
import { openPolymarketVenue } from './venue.ts';
import { openChain } from './wallet/chain.ts';
import { openRelayer } from './wallet/relayer.ts';

const KEY = { apiKey: 'key-1', secret: Buffer.from('secret').toString('base64'), passphrase: 'words' };

function open(answers: readonly (string | Response)[], isSession = false) {
  const account = privateKeyToAccount(generatePrivateKey());
  const asked: string[] = [];
  const redirects: unknown[] = [];
  // Tests may add answers later.
  const left = answers as (string | Response)[];
  const opening = openPolymarketVenue({
    url: 'http://exchange',
    geoblockUrl: null,
    gammaUrl: 'http://listings',
    signer: {
      account,
      wallet: account.address,
      kind: isSession ? 'deposit' : 'key',
      form: 'plain',
      isSession,
    },
    chain: openChain('http://chain'),
    relayer: openRelayer({ url: 'http://relayer', key: null }),
    feePaidIn: 'shares',
    clock: systemClock,
    fetch: async (url, init) => {
      asked.push(new URL(String(url)).pathname);
      redirects.push(init?.redirect);
      const answer = left.shift();
      return answer instanceof Response ? answer : new Response(answer);
    },
  });
  return { opening, asked, redirects, address: account.address };
}

const ORDER = {
  ...{ id: '0x1', status: 'LIVE', asset_id: '7', side: 'BUY', price: '0.42' },
  ...{ original_size: '10', size_matched: '2.5' },
};
const TRADE = {
  ...{ id: 't', taker_order_id: '0x1', asset_id: '7', side: 'BUY', size: '4', price: '0.42' },
  ...{ status: 'MINED', match_time: '1789999999', trader_side: 'TAKER', maker_orders: [] },
};
const BOOK = {
  ...{ asset_id: '7', market: '0xc', bids: [], asks: [] },
  ...{ tick_size: '0.01', min_order_size: '5', neg_risk: false },
};
const LAST_PAGE = 'LTE=';

describe('venue responses', () => {
  const ask = async (read: (venue: Venue) => Promise<unknown>, ...answers: unknown[]) => {
    const { opening } = open([KEY, ...answers].map((answer) => JSON.stringify(answer)));
    return read(await opening);
  };
  const ordersOf = (venue: Venue) => venue.openOrders();
  const page = (...data: unknown[]) => ({ data, next_cursor: LAST_PAGE });

  it('are read to the last page', async () => {
    const orders = await ask(ordersOf, { data: [ORDER], next_cursor: 'Mg==' }, page(ORDER));
    assert.equal((orders as unknown[]).length, 2);
  });

  it('determine the side of a maker order that omits it', async () => {
    const maker = { owner: KEY.apiKey, order_id: '0x2', matched_amount: '4', price: '0.58' };
    const sold = { ...maker, asset_id: TRADE.asset_id };
    const minted = { ...maker, order_id: '0x3', asset_id: '8' };
    const stated = { ...minted, order_id: '0x4', side: 'SELL' };
    const trade = { ...TRADE, trader_side: 'MAKER', maker_orders: [sold, minted, stated] };
    const fills = (await ask((v) => v.fillsSince(0), page(trade))) as Fill[];
    assert.deepEqual(
      fills.map(({ orderId, action }) => [orderId, action]),
      [
        ['0x2', 'SELL'],
        ['0x3', 'BUY'],
        ['0x4', 'SELL'],
      ],
    );
  });

  it('are read in both forms: documented in millionths, and plain', async () => {
    const documented = {
      ...{ ...ORDER, status: 'ORDER_STATUS_LIVE' },
      ...{ original_size: '10000000', size_matched: '2500000' },
    };
    for (const order of [ORDER, documented]) {
      const [read] = (await ask(ordersOf, page(order))) as VenueOrder[];
      assert.deepEqual([read!.sizeMicro, read!.matchedMicro, read!.isLive], [10_000_000, 2_500_000, true]);
    }
    const trade = { ...TRADE, status: 'TRADE_STATUS_CONFIRMED', size: '4000000' };
    const [fill] = (await ask((v) => v.fillsSince(0), page(trade))) as Fill[];
    assert.deepEqual([fill!.sizeMicro, fill!.status], [4_000_000, 'confirmed']);
  });

  it('show no order for null, which a filled order becomes', async () => {
    assert.equal(await ask((v) => v.findOrder('0x1'), null), null);
  });

  const unreadable: [string, (venue: Venue) => Promise<unknown>, unknown, RegExp][] = [
    [
      'a price that is not a number',
      ordersOf,
      page({ ...ORDER, price: 'n/a' }),
      /price is missing or unreadable/,
    ],
    ['a price over 1', ordersOf, page({ ...ORDER, price: '42' }), /price is missing/],
    ['a missing size', ordersOf, page({ ...ORDER, size_matched: undefined }), /size_matched is missing/],
    ['an unknown side', ordersOf, page({ ...ORDER, side: 'HOLD' }), /side is missing/],
    ['a page without a next cursor', ordersOf, { data: [ORDER] }, /next_cursor is missing/],
    ['a page that repeats itself', ordersOf, { data: [], next_cursor: 'MA==' }, /lists itself/],
    [
      'a trade without makers',
      (v) => v.fillsSince(0),
      page({ ...TRADE, maker_orders: null }),
      /maker_orders is/,
    ],
    ['a balance that is not a number', (v) => v.cashMicro(), { balance: null }, /balance is missing/],
    ['an account without its permissions', (v) => v.checkAccess(), {}, /closed_only is missing/],
    [
      'a book without a tick size',
      (v) => v.books(['7']),
      [{ asset_id: '7', market: '0xc', bids: [], asks: [] }],
      /tick/,
    ],
    ['a tick size of 0', (v) => v.books(['7']), [{ ...BOOK, tick_size: '0' }], /tick_size is/],
    ['a minimum order of 0', (v) => v.books(['7']), [{ ...BOOK, min_order_size: 0 }], /min_order_size is/],
  ];
  for (const [what, read, answer, expected] of unreadable)
    it(`are rejected for ${what}`, () => assert.rejects(ask(read, answer), expected));
});

describe('proxy error page', () => {
  const page = (status: number) => new Response('<html>', { status });
  const refusal = (status: number) => new Response('{"error":"no"}', { status });
  const answered = async (answer: Response) => open([JSON.stringify(KEY), answer]).opening;
  const prepared = { orderId: '0x1', payload: '{}' };

  it('does not mean that the exchange does not know an order', async () => {
    assert.equal(await (await answered(refusal(404))).findOrder('0x1'), null);
    await assert.rejects((await answered(page(404))).findOrder('0x1'), /404 without a reason/);
  });

  it('does not mean that an order was rejected', async () => {
    for (const status of [400, 503]) {
      assert.equal((await (await answered(refusal(status))).send(prepared)).kind, 'refused');
      assert.equal((await (await answered(page(status))).send(prepared)).kind, 'unknown');
    }
    assert.equal((await (await answered(refusal(408))).send(prepared)).kind, 'unknown', 'a timeout');
  });
});

describe('a request to the exchange', () => {
  it('is never redirected', async () => {
    const { opening, redirects } = open(
      [KEY, { data: [], next_cursor: LAST_PAGE }].map((one) => JSON.stringify(one)),
    );
    await (await opening).openOrders();
    assert.deepEqual(redirects, ['error', 'error']);
  });

  it('ends after a hundred pages', async () => {
    const pages = Array.from({ length: 101 }, (_, page) => ({ data: [], next_cursor: `page ${page}` }));
    const { opening, asked } = open([KEY, ...pages].map((one) => JSON.stringify(one)));
    const venue = await opening;
    await assert.rejects(venue.openOrders(), /more than 100 pages/);
    assert.equal(asked.length, 101);
  });

  it('accepts only the id of the order that was signed', async () => {
    const send = async (answer: object) =>
      (await open([KEY, answer].map((one) => JSON.stringify(one))).opening).send({
        orderId: '0x1',
        payload: '{}',
      });
    assert.deepEqual(await send({ success: true, orderID: '0x1' }), { kind: 'accepted' });
    assert.equal((await send({ success: true, orderID: '0x2' })).kind, 'unknown');
    assert.deepEqual(await send({ success: false, errorMsg: 'no' }), { kind: 'refused', reason: 'no' });
  });

  it('says which cancellations were acknowledged', async () => {
    const answer = { canceled: ['0x1'], not_canceled: { '0x2': 'order 0x2 cannot be found' } };
    const { opening } = open([KEY, answer].map((one) => JSON.stringify(one)));
    assert.deepEqual(await (await opening).cancel(['0x1', '0x2']), ['0x1']);
  });
});

// One client reported on 2026-10-02 that batch routes answer 'Invalid payload' to everything; the status is assumed.
describe('a refused batch call', () => {
  const refused = () => new Response('{"error":"Invalid payload"}', { status: 400 });
  const answers = (...list: unknown[]) =>
    [KEY, ...list].map((one) => (one instanceof Response ? one : JSON.stringify(one)));

  it('for books is followed by single reads, which the access check mentions until it works again', async () => {
    const none = new Response('{"error":"No orderbook exists"}', { status: 404 });
    const unlisted = () => new Response('', { status: 500 });
    const access = { closed_only: false };
    const { opening, asked } = open(
      answers(refused(), BOOK, none, unlisted(), access, [BOOK], unlisted(), access),
    );
    const venue = await opening;
    assert.deepEqual(
      (await venue.books(['7', '8'])).map(({ tokenId }) => tokenId),
      ['7'],
    );
    assert.deepEqual(asked.slice(1, 4), ['/books', '/book', '/book']);
    assert.match((await venue.checkAccess()).warning!, /400 Invalid payload.*one by one/);
    await venue.books(['7']);
    assert.equal((await venue.checkAccess()).warning, undefined);
  });

  it('for cancellations is followed by single ones', async () => {
    const { opening, asked } = open(answers(refused(), { canceled: ['0x1'] }, { canceled: [] }));
    assert.deepEqual(await (await opening).cancel(['0x1', '0x2']), ['0x1']);
    assert.deepEqual(asked.slice(1), ['/orders', '/order', '/order']);
  });
});

describe('a session key', () => {
  const DAY_S = 86_400;
  const nowS = Math.floor(Date.now() / 1000);
  const check = async (list: (address: string) => object | Response) => {
    const left: (string | Response)[] = [JSON.stringify(KEY), '{"closed_only":false}'];
    const { opening, address } = open(left, true);
    const given = list(address);
    const venue = await opening;
    left.push(given instanceof Response ? given : JSON.stringify(given));
    return venue.checkAccess();
  };
  const until = (days: number) => (address: string) => ({
    signers: [{ address, scopes: ['CLOB'], valid_until: nowS + days * DAY_S }],
  });
  const cases: [string, (address: string) => object | Response, boolean, RegExp][] = [
    ['trades', until(30), true, /^ undefined$/],
    ['warns days before its end', until(3), true, /expires on 20/],
    ['stops at its end', until(-1), false, /expired on 20.* trade setup/],
    ['stops if it was revoked', () => ({ signers: [] }), false, /not authorised/],
    [
      'trades with a warning if its end is unknown',
      () => new Response('{}', { status: 404 }),
      true,
      /is unknown/,
    ],
  ];
  for (const [what, list, isAllowed, words] of cases)
    it(what, async () => {
      const access = await check(list);
      assert.equal(access.isAllowed, isAllowed);
      assert.match(`${access.reason} ${access.warning}`, words);
    });
});

describe('venue API key', () => {
  it('is derived if the response to its creation was truncated', async () => {
    const { opening, asked } = open(['{"apiKey":"ke', JSON.stringify(KEY)]);
    await opening;
    assert.deepEqual(asked, ['/auth/api-key', '/auth/derive-api-key']);
  });

  it('is never taken from an unreadable or incomplete response', async () => {
    const partial = JSON.stringify({ ...KEY, secret: undefined });
    await assert.rejects(open([partial, partial]).opening, /no API key: 200/);
    await assert.rejects(open(['<html>', '<html>']).opening, /no API key: 200 without a reason/);
  });
});
