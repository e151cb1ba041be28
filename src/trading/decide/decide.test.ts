import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MICRO, usdMicroFor } from '../../domain/units.ts';
import type { AdviceItem, VenueBook } from '../types.ts';
import { decide, type OpenOrder, ORDER_LIFE_MS, type Rules, type Situation } from './decide.ts';

const RULES: Rules = {
  caps: { orderUsd: 20, eventUsd: 50, accountUsd: 80, dayUsd: 60, totalUsd: 100 },
  minGainPerUsd: 0.05,
  minSecondsLeft: 900,
  minPricePips: 300,
  maxPricePips: 9000,
  isCanary: false,
};

function item(changes: Partial<AdviceItem> = {}): AdviceItem {
  return {
    account: 'account_a',
    eventId: 1,
    bucket: '320-339',
    outcome: 'Yes',
    action: 'BUY',
    tokenId: '11',
    limitPips: 2050,
    targetMicro: 60 * MICRO,
    depthMicro: 500 * MICRO,
    gainPerUsd: 0.2,
    probability: 0.3,
    secondsLeft: 7200,
    edgeKind: 'model',
    blockedBy: null,
    ...changes,
  };
}

function book(changes: Partial<VenueBook> = {}): VenueBook {
  return {
    tokenId: '11',
    conditionId: '0x11',
    bids: [{ pricePips: 1900, sizeMicro: 80 * MICRO }],
    asks: [
      { pricePips: 2000, sizeMicro: 40 * MICRO },
      { pricePips: 2100, sizeMicro: 400 * MICRO },
    ],
    tickPips: 100,
    minOrderMicro: 5 * MICRO,
    isNegRisk: true,
    refusesOrders: null,
    refusesBuys: null,
    ...changes,
  };
}

function situation(changes: Partial<Situation> = {}): Situation {
  return {
    items: [item()],
    books: new Map([['11', book()]]),
    open: [],
    heldMicro: () => 0,
    sellableMicro: () => 0,
    exposures: [],
    spentTodayUsd: 0,
    cashMicro: 1000 * MICRO,
    unresolved: new Map(),
    nowTs: 0,
    ...changes,
  };
}

function openOrder(changes: Partial<OpenOrder> = {}): OpenOrder {
  return {
    orderId: 'o1',
    tokenId: '11',
    action: 'BUY',
    pricePips: 2000,
    leftMicro: 20 * MICRO,
    expiresTs: ORDER_LIFE_MS,
    ...changes,
  };
}

const reasonOf = (plan: ReturnType<typeof decide>) => plan.skipped[0]?.reason;

describe('decide', () => {
  it('orders at the tick at or below the advised limit, for no more than the book offers there', () => {
    const { placements } = decide(situation(), RULES);
    assert.deepEqual(
      placements.map(({ pricePips, sizeMicro, isNegRisk }) => ({ pricePips, sizeMicro, isNegRisk })),
      [{ pricePips: 2000, sizeMicro: 40 * MICRO, isNegRisk: true }],
    );
  });

  it('orders only the shares still missing from the advised size', () => {
    const held = situation({ heldMicro: () => 40 * MICRO, open: [openOrder({ leftMicro: 10 * MICRO })] });
    assert.deepEqual(
      decide(held, RULES).placements.map(({ sizeMicro }) => sizeMicro),
      [10 * MICRO],
    );
    const full = situation({ heldMicro: () => 58 * MICRO });
    assert.deepEqual(decide(full, RULES), { cancels: [], placements: [], skipped: [] });
  });

  it('cancels an order when its advice ends, shrinks, changes its limit, or is blocked', () => {
    const cases: [Partial<Situation>, string][] = [
      [{ items: [] }, 'the advice ended'],
      [{ items: [item({ limitPips: 1900 })] }, 'the advised limit moved'],
      [{ items: [item({ targetMicro: 10 * MICRO })] }, 'the advised size shrank'],
      [{ items: [item({ blockedBy: 'stale: oracle' })] }, 'stale: oracle'],
    ];
    for (const [changes, reason] of cases)
      assert.deepEqual(decide(situation({ open: [openOrder()], ...changes }), RULES).cancels, [
        { orderId: 'o1', reason },
      ]);
    assert.deepEqual(decide(situation({ open: [openOrder()] }), RULES).cancels, []);
  });

  it('replaces a cancelled order only after its fills are known', () => {
    const moved = item({ limitPips: 2000 });
    const plan = decide(situation({ open: [openOrder({ pricePips: 2050 })], items: [moved] }), RULES);
    assert.equal(plan.cancels.length, 1);
    assert.deepEqual(plan.placements, []);
  });

  it('says why advice is not followed', () => {
    const refusals: [Partial<AdviceItem>, string][] = [
      [{ blockedBy: 'stale: prices' }, 'stale: prices'],
      [{ gainPerUsd: 0.04 }, 'expected gain below the minimum'],
      [{ secondsLeft: 800 }, 'too close to the end'],
      [{ limitPips: 200 }, 'price outside the allowed range'],
      [{ tokenId: '12' }, 'no order book'],
    ];
    for (const [changes, reason] of refusals)
      assert.equal(reasonOf(decide(situation({ items: [item(changes)] }), RULES)), reason);
    assert.match(
      reasonOf(decide(situation({ unresolved: new Map([['0x11', 'unknown']]) }), RULES))!,
      /still unresolved/,
    );
    assert.equal(reasonOf(decide(situation({ cashMicro: MICRO / 2 }), RULES)), 'not enough cash');
    const spent = situation({
      exposures: [{ conditionId: '0x2', eventId: 1, account: 'account_a', usd: 49.5 }],
    });
    assert.equal(reasonOf(decide(spent, RULES)), 'limit reached: eventUsd');
  });

  it('places the smallest order that the exchange takes in the canary stage', () => {
    const canary = { ...RULES, isCanary: true };
    for (const [pricePips, shares] of [
      [1710, 6],
      [1880, 6],
      [1910, 6],
      [1300, 8],
      [2000, 5],
      [4000, 5],
    ] as const) {
      const asks = [{ pricePips, sizeMicro: 100 * MICRO }];
      const only = {
        items: [item({ limitPips: pricePips })],
        books: new Map([['11', book({ asks, tickPips: 10 })]]),
      };
      const [placement] = decide(situation(only), canary).placements;
      assert.equal(placement!.sizeMicro, shares * MICRO);
      assert.ok(usdMicroFor(placement!.sizeMicro, pricePips) >= MICRO);
    }
  });

  it('offers no more dollars than the wanted shares cost, since cheaper asks return more of them', () => {
    const asks = [{ pricePips: 1000, sizeMicro: 30 * MICRO }];
    const cheap = situation({ books: new Map([['11', book({ asks })]]) });
    // 30 shares are listed at half the limit: 3 USD buy them.
    assert.equal(decide(cheap, RULES).placements[0]!.sizeMicro, 15 * MICRO);
    const few = situation({ ...cheap, items: [item({ targetMicro: 8 * MICRO })] });
    assert.match(reasonOf(decide(few, RULES))!, /below the smallest order .*1\.00 USD/);
  });

  describe('on a venue that sells contracts', () => {
    const fee = { rate: 0.07, exponent: 1 };
    const contracts = (changes: Partial<Situation> = {}) => {
      const own = book({ minOrderMicro: MICRO, contracts: { fee, otherTokenId: '12' } });
      const other = { ...own, tokenId: '12', contracts: { fee, otherTokenId: '11' } };
      return situation({
        books: new Map([
          ['11', own],
          ['12', other],
        ]),
        ...changes,
      });
    };

    it('keeps price and highest fee within every cap, and orders the count that it wants', () => {
      const [wanted] = decide(contracts(), RULES).placements;
      assert.equal(wanted!.sizeMicro, 40 * MICRO, 'not less because an offer is cheaper than the limit');
      const tight = { ...RULES, caps: { ...RULES.caps, orderUsd: 5 } };
      const { sizeMicro, pricePips, maxFeeMicro } = decide(contracts(), tight).placements[0]!;
      assert.equal(maxFeeMicro, 260_000 + 20_000, '23 × 0.07 × 0.2 × 0.8 in whole cents, and rounding');
      assert.deepEqual(
        [sizeMicro, usdMicroFor(sizeMicro, pricePips) + maxFeeMicro!],
        [23 * MICRO, 4_880_000],
      );
    });

    it('buys only one outcome of a market, because the other one would cancel it out', () => {
      const reason = 'the other outcome of this market is held or ordered';
      const cases: Partial<Situation>[] = [
        { heldMicro: (tokenId) => (tokenId === '12' ? MICRO : 0) },
        {
          open: [openOrder({ tokenId: '12' })],
          items: [item(), item({ tokenId: '12', targetMicro: 20 * MICRO })],
        },
      ];
      for (const changes of cases) assert.equal(reasonOf(decide(contracts(changes), RULES)), reason);
      const both = decide(contracts({ items: [item(), item({ tokenId: '12' })] }), RULES);
      assert.deepEqual([both.placements.length, reasonOf(both)], [1, reason]);
    });
  });

  it('places nothing in a market that the venue refuses, and only sells in a disputed one', () => {
    const closed = { refusesOrders: "the market's protocol version is unknown (v9)", refusesBuys: null };
    const disputed = { refusesOrders: null, refusesBuys: 'the event is disputed' };
    const sale = item({ action: 'SELL', limitPips: 1900 });
    const plan = (refusal: Partial<VenueBook>, wanted: AdviceItem) =>
      decide(
        situation({
          items: [wanted],
          books: new Map([['11', book(refusal)]]),
          sellableMicro: () => 20 * MICRO,
        }),
        RULES,
      );
    assert.equal(reasonOf(plan(closed, item())), closed.refusesOrders);
    assert.equal(reasonOf(plan(closed, sale)), closed.refusesOrders);
    assert.equal(reasonOf(plan(disputed, item())), 'the event is disputed');
    assert.equal(plan(disputed, sale).placements.length, 1);
  });

  it('sells settled shares at the limit or better, up to the size of the bids', () => {
    const exit = situation({
      items: [item({ action: 'SELL', limitPips: 1850, targetMicro: 1e12, gainPerUsd: 0, secondsLeft: 10 })],
      heldMicro: () => 200 * MICRO,
      sellableMicro: () => 119_996_000,
    });
    const { placements } = decide(exit, RULES);
    assert.deepEqual(
      placements.map(({ action, pricePips, sizeMicro }) => ({ action, pricePips, sizeMicro })),
      [{ action: 'SELL', pricePips: 1900, sizeMicro: 80 * MICRO }],
    );
  });

  it('never exceeds a cap, for any advice and holdings', () => {
    const items = fc.array(
      fc.record({
        tokenId: fc.constantFrom('11', '12', '13', '14'),
        eventId: fc.integer({ min: 1, max: 3 }),
        account: fc.constantFrom('account_a', 'account_b'),
        limitPips: fc.integer({ min: 1, max: 99 }).map((cents) => cents * 100),
        targetMicro: fc.integer({ min: 0, max: 2000 }).map((shares) => shares * MICRO),
      }),
      { maxLength: 12 },
    );
    const exposures = fc.array(
      fc.record({
        conditionId: fc.constantFrom('0x11', '0x12'),
        eventId: fc.integer({ min: 1, max: 3 }),
        account: fc.constantFrom('account_a', 'account_b'),
        usd: fc.double({ min: 0, max: 40, noNaN: true }),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(items, exposures, fc.double({ min: 0, max: 80, noNaN: true }), (given, before, spent) => {
        const asks = [{ pricePips: 100, sizeMicro: 5000 * MICRO }];
        const books = new Map(
          ['11', '12', '13', '14'].map((id) => [id, book({ tokenId: id, conditionId: `0x${id}`, asks })]),
        );
        const plan = decide(
          situation({
            items: given.map((one) => item({ ...one, depthMicro: null })),
            books,
            exposures: before,
            spentTodayUsd: spent,
          }),
          RULES,
        );
        const added = plan.placements.map(({ item: of, pricePips, sizeMicro }) => ({
          eventId: of.eventId,
          account: of.account,
          usd: usdMicroFor(sizeMicro, pricePips) / MICRO,
        }));
        const total = (keeps: (one: { eventId: number; account: string }) => boolean) =>
          [...before, ...added].filter(keeps).reduce((sum, { usd }) => sum + usd, 0);
        const within = (usd: number, cap: number, had: number) => usd <= Math.max(cap, had) + 1e-6;
        const had = (keeps: (one: { eventId: number; account: string }) => boolean) =>
          before.filter(keeps).reduce((sum, { usd }) => sum + usd, 0);
        for (const one of added) {
          assert.ok(one.usd <= RULES.caps.orderUsd + 1e-6);
          const ofEvent = ({ eventId }: { eventId: number }) => eventId === one.eventId;
          const ofAccount = ({ account }: { account: string }) => account === one.account;
          assert.ok(within(total(ofEvent), RULES.caps.eventUsd, had(ofEvent)));
          assert.ok(within(total(ofAccount), RULES.caps.accountUsd, had(ofAccount)));
        }
        assert.ok(
          within(
            total(() => true),
            RULES.caps.totalUsd,
            had(() => true),
          ),
        );
        const today = spent + added.reduce((sum, { usd }) => sum + usd, 0);
        assert.ok(within(today, RULES.caps.dayUsd, spent));
      }),
      { numRuns: 300, seed: 6 },
    );
  });
});
