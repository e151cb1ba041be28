import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { execute, type OrderType } from './execute.ts';
import { type BookOrder, type BookSide, createOrderBook, type OrderBook } from './order-book.ts';

const order = fc.record({
  side: fc.constantFrom<BookSide>('bid', 'ask'),
  pricePips: fc.integer({ min: 1, max: 99 }).map((cents) => cents * 100),
  sizeMicro: fc.integer({ min: 1, max: 500 }).map((shares) => shares * 10_000),
  type: fc.constantFrom<OrderType>('GTC', 'GTD', 'FOK', 'FAK'),
  isPostOnly: fc.boolean(),
});

interface Placed {
  id: string;
  side: BookSide;
  limitPips: number;
  matches: ReturnType<OrderBook['match']>;
  restMicro: number;
}

/** Processes orders one by one like the exchange: match, remove, rest. */
function run(orders: readonly (typeof order extends fc.Arbitrary<infer T> ? T : never)[]) {
  const book = createOrderBook();
  const placed: Placed[] = [];
  orders.forEach(({ side, pricePips, sizeMicro, type, isPostOnly }, i) => {
    const id = `o${i}`;
    const before = snapshot(book);
    const execution = execute(book, { side, limitPips: pricePips, sizeMicro, type, isPostOnly });
    check(before, { side, limitPips: pricePips, sizeMicro, type, isPostOnly }, execution);
    for (const match of execution.matches) book.reduce(match.makerId, match.sizeMicro);
    if (execution.restMicro > 0) book.add({ id, side, pricePips, openMicro: execution.restMicro });
    placed.push({ id, side, limitPips: pricePips, ...execution });
  });
  return { book, placed };
}

function snapshot(book: OrderBook): BookOrder[] {
  return (['bid', 'ask'] as const).flatMap((side) =>
    book.prices(side).flatMap((pricePips) => book.ordersAt(side, pricePips).map((each) => ({ ...each }))),
  );
}

function check(
  resting: readonly BookOrder[],
  incoming: { side: BookSide; limitPips: number; sizeMicro: number; type: OrderType; isPostOnly: boolean },
  { matches, restMicro, refusal }: ReturnType<typeof execute>,
): void {
  const filled = matches.reduce((sum, match) => sum + match.sizeMicro, 0);
  const crossing = resting.filter(
    ({ side, pricePips }) =>
      side !== incoming.side &&
      (incoming.side === 'bid' ? pricePips <= incoming.limitPips : pricePips >= incoming.limitPips),
  );
  const available = crossing.reduce((sum, { openMicro }) => sum + openMicro, 0);
  if (incoming.isPostOnly && available > 0) assert.equal(refusal, 'post-only-crosses');
  else if (incoming.type === 'FOK' && available < incoming.sizeMicro) assert.equal(refusal, 'fok-not-filled');
  else if (incoming.type === 'FAK' && available === 0) assert.equal(refusal, 'fak-no-match');
  else
    assert.equal(
      filled,
      Math.min(available, incoming.sizeMicro),
      'takes everything that crosses, and nothing else',
    );
  if (refusal !== null) return;
  // Makers in price-time order, each exhausted before the next.
  const expected = crossing.slice(0, matches.length);
  assert.deepEqual(
    matches.map(({ makerId }) => makerId),
    expected.map(({ id }) => id),
  );
  matches.forEach((match, i) => {
    assert.equal(match.pricePips, expected[i]!.pricePips, 'the maker’s price');
    if (i < matches.length - 1) assert.equal(match.sizeMicro, expected[i]!.openMicro);
  });
  const rests = incoming.type === 'GTC' || incoming.type === 'GTD';
  assert.equal(restMicro, rests ? incoming.sizeMicro - filled : 0);
}

describe('matching', () => {
  it("matches by price, then time, at the maker's price, under the rules of each order type", () => {
    fc.assert(
      fc.property(fc.array(order, { maxLength: 60 }), (orders) => {
        run(orders);
      }),
      { numRuns: 300, seed: 32 },
    );
  });

  it('never leaves a crossed book, and keeps levels sorted', () => {
    fc.assert(
      fc.property(fc.array(order, { maxLength: 60 }), (orders) => {
        const { book } = run(orders);
        const [bids, asks] = [book.prices('bid'), book.prices('ask')];
        assert.deepEqual(
          bids,
          [...new Set(bids)].sort((a, b) => b - a),
        );
        assert.deepEqual(
          asks,
          [...new Set(asks)].sort((a, b) => a - b),
        );
        if (bids.length > 0 && asks.length > 0) assert.ok(bids[0]! < asks[0]!);
      }),
      { numRuns: 300, seed: 33 },
    );
  });

  it('conserves shares: placed equals filled (both sides) plus resting plus dropped', () => {
    fc.assert(
      fc.property(fc.array(order, { maxLength: 60 }), (orders) => {
        const { book, placed } = run(orders);
        const filled = placed.flatMap(({ matches }) => matches).reduce((sum, m) => sum + m.sizeMicro, 0);
        const rested = placed.reduce((sum, { restMicro }) => sum + restMicro, 0);
        const open = (['bid', 'ask'] as const)
          .flatMap((side) => book.levels(side))
          .reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
        assert.equal(rested, open + filled);
      }),
      { numRuns: 300, seed: 34 },
    );
  });

  it('spends no more than the budget', () => {
    const book = createOrderBook();
    book.add({ id: 'a', side: 'ask', pricePips: 3300, openMicro: 7_000_000 });
    book.add({ id: 'b', side: 'ask', pricePips: 3700, openMicro: 50_000_000 });
    const { matches } = execute(book, {
      side: 'bid',
      limitPips: 4000,
      sizeMicro: Number.MAX_SAFE_INTEGER,
      budgetMicro: 5_000_000,
      type: 'FOK',
      isPostOnly: false,
    });
    const spent = matches.reduce(
      (sum, { sizeMicro, pricePips }) => sum + (sizeMicro * pricePips) / 10_000,
      0,
    );
    assert.equal(matches.length, 2);
    assert.ok(spent <= 5_000_000 && spent > 4_999_990, String(spent));
  });

  it('keeps the queue position of a reduced order, and removes an empty one', () => {
    const book = createOrderBook();
    book.add({ id: 'first', side: 'bid', pricePips: 4000, openMicro: 10_000 });
    book.add({ id: 'second', side: 'bid', pricePips: 4000, openMicro: 10_000 });
    book.reduce('first', 4_000);
    assert.deepEqual(book.match({ side: 'ask', limitPips: 4000, sizeMicro: 6_000 }), [
      { makerId: 'first', pricePips: 4000, sizeMicro: 6_000 },
    ]);
    book.reduce('first');
    assert.equal(book.find('first'), null);
    assert.deepEqual(book.levels('bid'), [{ pricePips: 4000, sizeMicro: 10_000 }]);
  });
});
