import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MICRO } from '../../src/domain/units.ts';
import { createExchange, type Exchange } from './exchange.ts';
import type { OrderType } from './matching/execute.ts';
import { CROWD, FEES, USD, VAULT } from './settling/ledger.ts';
import { makeTestMarkets, TEST_MARKET } from './test-markets.test-support.ts';
import type { TapePrint, UserEvent } from './types.ts';
import { createRateLimit } from './wire/rate-limit.ts';

const START_TS = Date.UTC(2026, 10, 16);
const [YES, NO] = TEST_MARKET.tokenIds;
const USERS = ['0xa', '0xb'];

function open(options: { fails?: () => boolean; feePaidIn?: 'shares' | 'usd' } = {}) {
  const events: { apiKey: string; event: UserEvent }[] = [];
  const prints: TapePrint[] = [];
  const markets = makeTestMarkets();
  const exchange = createExchange({
    seedKey: 7,
    markets,
    feePaidIn: options.feePaidIn ?? 'shares',
    willFail: options.fails ?? (() => false),
    onEvent: (apiKey, event) => events.push({ apiKey, event }),
    onPrint: (print) => prints.push(print),
  });
  for (const owner of USERS) exchange.ledger.apply([{ owner, asset: USD, deltaMicro: 1000 * MICRO }]);
  return { exchange, events, prints, markets };
}

let number = 0;
interface Wanted {
  user?: string;
  tokenId?: string;
  action?: 'BUY' | 'SELL';
  pricePips: number;
  shares: number;
  type?: OrderType;
  isPostOnly?: boolean;
  expiresTs?: number | null;
}

function place(exchange: Exchange, nowTs: number, wanted: Wanted) {
  const { user = '0xa', tokenId = YES, action = 'BUY', type = 'GTC', expiresTs = null } = wanted;
  exchange.advance(nowTs);
  return exchange.place(
    {
      order: {
        id: `order-${number++}`,
        apiKey: user,
        maker: user,
        conditionId: TEST_MARKET.conditionId,
        tokenId,
        outcome: 'Yes',
        action,
        pricePips: wanted.pricePips,
        originalMicro: wanted.shares * MICRO,
        type,
        expiresTs,
        createdTs: nowTs,
      },
      isPostOnly: wanted.isPostOnly ?? false,
    },
    nowTs,
  );
}

/** Ledger invariants after any trade. */
function audit(exchange: Exchange): void {
  const { ledger } = exchange;
  const total = (asset: string) =>
    ledger.owners().reduce((sum, owner) => sum + ledger.balance(owner, asset), 0);
  assert.equal(total(USD), 2000 * MICRO, 'dollars are conserved');
  assert.equal(total(YES), total(NO), 'Yes and No exist in pairs');
  assert.equal(total(YES), ledger.balance(VAULT, USD), 'each pair is backed by a dollar');
  for (const owner of ledger.owners().filter((one) => one !== CROWD))
    for (const asset of ledger.assetsOf(owner))
      assert.ok(ledger.balance(owner, asset) >= 0, `${owner} ${asset}`);
  for (const user of USERS)
    for (const asset of [USD, YES, NO]) assert.ok(ledger.available(user, asset) >= 0, `${user} ${asset}`);
}

describe('exchange', () => {
  it('conserves dollars, pairs and balances, even when trades fail', () => {
    const step = fc.record({
      user: fc.constantFrom(...USERS),
      tokenId: fc.constantFrom(YES, NO),
      action: fc.constantFrom<'BUY' | 'SELL'>('BUY', 'SELL'),
      pricePips: fc.integer({ min: 1, max: 99 }).map((cents) => cents * 100),
      shares: fc.integer({ min: 5, max: 120 }),
      type: fc.constantFrom<OrderType>('GTC', 'FOK', 'FAK'),
      waitMs: fc.integer({ min: 0, max: 120_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 2, max: 9 }), (steps, every) => {
        let trades = 0;
        const { exchange } = open({ fails: () => ++trades % every === 0 });
        let nowTs = START_TS;
        for (const { waitMs, ...wanted } of steps) {
          nowTs += waitMs;
          exchange.advance(nowTs);
          const asset = wanted.action === 'BUY' ? USD : wanted.tokenId;
          const needMicro =
            wanted.action === 'BUY' ? wanted.shares * wanted.pricePips * 100 : wanted.shares * MICRO;
          if (exchange.ledger.available(wanted.user, asset) < needMicro) continue;
          place(exchange, nowTs, wanted);
          audit(exchange);
        }
        exchange.advance(nowTs + 60_000);
        audit(exchange);
      }),
      { numRuns: 150, seed: 32 },
    );
  });

  it('fills a taker from the crowd, charges the fee in shares and leaves dust', () => {
    const { exchange } = open();
    const { trades, order } = place(exchange, START_TS, { pricePips: 4100, shares: 10 });
    assert.equal(order.status, 'MATCHED');
    assert.equal(trades[0]!.pricePips, 4100);
    assert.equal(exchange.ledger.balance('0xa', YES), 0, 'balances change only when the trade is mined');
    exchange.advance(START_TS + 2_000);
    const held = exchange.ledger.balance('0xa', YES);
    assert.ok(held < 10 * MICRO && held > 9.6 * MICRO && held % 10_000 !== 0, String(held));
    assert.equal(exchange.ledger.balance('0xa', USD), (1000 - 4.1) * MICRO);
    assert.equal(exchange.ledger.balance(FEES, YES), 10 * MICRO - held);
  });

  it('moves no balances for a failed trade, and reports it', () => {
    const { exchange, events } = open({ fails: () => true });
    place(exchange, START_TS, { pricePips: 4100, shares: 10 });
    assert.equal(exchange.ledger.available('0xa', USD), (1000 - 4.1) * MICRO);
    exchange.advance(START_TS + 10_000);
    assert.equal(exchange.ledger.available('0xa', USD), 1000 * MICRO);
    assert.equal(exchange.ledger.balance('0xa', YES), 0);
    const statuses = events.flatMap(({ event }) => (event.kind === 'trade' ? [event.trade.status] : []));
    assert.deepEqual(statuses, ['MATCHED', 'RETRYING', 'FAILED']);
  });

  it('mints a pair for two buyers, and leaves the payout to redemption', () => {
    const { exchange, markets } = open();
    markets.hasCrowd = false;
    place(exchange, START_TS, { user: '0xa', tokenId: YES, pricePips: 6000, shares: 50 });
    place(exchange, START_TS, { user: '0xb', tokenId: NO, pricePips: 4000, shares: 50 });
    exchange.advance(START_TS + 10_000);
    assert.equal(exchange.ledger.balance(VAULT, USD), 50 * MICRO);
    markets.winner = 1;
    exchange.advance(START_TS + 20_000);
    assert.equal(exchange.ledger.balance('0xa', USD), 970 * MICRO);
    assert.ok(exchange.ledger.balance('0xb', NO) > 48 * MICRO);
    assert.equal(exchange.ledger.balance(VAULT, USD), 50 * MICRO);
  });

  it("fills a resting order from the crowd's trades, behind earlier orders", () => {
    const { exchange, prints } = open();
    const { order } = place(exchange, START_TS, { pricePips: 3900, shares: 20 });
    assert.equal(order.status, 'LIVE');
    let volumeBefore = 0;
    for (let ts = START_TS; order.matchedMicro === 0 && ts < START_TS + 48 * 3_600_000; ts += 10_000) {
      volumeBefore = prints
        .filter(({ yesPips, takerSide }) => takerSide === 'SELL' && yesPips === 3900)
        .reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
      exchange.advance(ts);
    }
    assert.ok(order.matchedMicro > 0, 'the order was filled in the end');
    assert.ok(volumeBefore > 0, 'earlier orders at the price were filled first');
  });

  it('shows less depth at a level that was taken, and restores it over time', () => {
    const { exchange } = open();
    const size = () =>
      (exchange.levels(TEST_MARKET.conditionId, nowTs) ?? [[], []])[1]!.find(
        ({ pricePips }) => pricePips === 4100,
      )?.sizeMicro ?? 0;
    let nowTs = START_TS;
    place(exchange, nowTs, { pricePips: 4100, shares: 60 });
    assert.equal(size(), 40 * MICRO);
    nowTs += 5 * 60_000;
    exchange.advance(nowTs);
    assert.ok(size() >= 50 * MICRO && size() < 100 * MICRO, String(size()));
  });
});

it('limits orders and cancellations per signer; what costs more than the burst never succeeds', () => {
  let nowTs = START_TS;
  const limit = createRateLimit(() => nowTs);
  const take = (signer: string, kind: 'order' | 'cancel', cost: number) =>
    limit.take(signer, kind, cost).isAllowed;
  assert.deepEqual(
    [take('0xA', 'order', 60), take('0xa', 'order', 1), take('0xb', 'order', 1)],
    [true, false, true],
  );
  nowTs += 1_000;
  assert.deepEqual([take('0xa', 'order', 40), take('0xa', 'order', 1)], [true, false]);
  assert.deepEqual([take('0xa', 'cancel', 121), take('0xa', 'cancel', 120)], [false, true]);
  assert.equal(limit.take('0xa', 'cancel', 1).headers['poly-ratelimit-remaining'], '0');
});
