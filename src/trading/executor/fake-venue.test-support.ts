// An in-memory venue that tests can break: orders rest until the test fills them.

import { MICRO } from '../../domain/units.ts';
import type { Fill, SendOutcome, Venue, VenueBook, VenueOrder } from '../types.ts';

export interface FakeVenue extends Venue {
  orders: VenueOrder[];
  fills: Fill[];
  cash: number;
  shares: Map<string, number>;
  /** Response to the next orders; an order with an unknown outcome is on the book nevertheless. */
  outcome: SendOutcome;
  /** The exchange's clock. */
  now(): number;
  /** Methods that throw. */
  broken: Set<keyof Venue>;
  sent: number;
  bidPips: number;
  winner: string | null;
}

function makeBook(tokenId: string, bidPips: number): VenueBook {
  return {
    tokenId,
    conditionId: `0x${tokenId}`,
    bids: [{ pricePips: bidPips, sizeMicro: 500 * MICRO }],
    asks: [{ pricePips: 2000, sizeMicro: 500 * MICRO }],
    tickPips: 100,
    minOrderMicro: 5 * MICRO,
    isNegRisk: false,
    refusesOrders: null,
    refusesBuys: null,
  };
}

export function createFakeVenue(): FakeVenue {
  let number = 0;
  const guard = <T>(name: keyof Venue, run: () => T): Promise<T> =>
    venue.broken.has(name) ? Promise.reject(new Error(`${name} is down`)) : Promise.resolve(run());
  const venue: FakeVenue = {
    name: 'fake',
    now: () => 0,
    time: () => guard('time', () => venue.now()),
    orders: [],
    fills: [],
    cash: 1000 * MICRO,
    shares: new Map(),
    outcome: { kind: 'accepted' },
    broken: new Set(),
    sent: 0,
    bidPips: 1900,
    winner: null,
    checkAccess: () => guard('checkAccess', () => ({ isAllowed: true, reason: '' })),
    prepare: async (request) => ({ orderId: `order-${number++}`, payload: JSON.stringify(request) }),
    async send({ orderId, payload }) {
      venue.sent++;
      if (venue.outcome.kind !== 'refused')
        venue.orders.push({ ...JSON.parse(payload), orderId, matchedMicro: 0, isLive: true });
      return venue.outcome;
    },
    cancel: (ids) => guard('cancel', () => end((order) => ids.includes(order.orderId))),
    cancelAll: () => guard('cancelAll', () => end(() => true)),
    openOrders: () => guard('openOrders', () => venue.orders.filter(({ isLive }) => isLive)),
    findOrder: (id) => guard('findOrder', () => venue.orders.find(({ orderId }) => orderId === id) ?? null),
    fillsSince: (ts) => guard('fillsSince', () => venue.fills.filter((fill) => fill.ts >= ts)),
    cashMicro: () => guard('cashMicro', () => venue.cash),
    sharesMicro: (tokenId) => guard('sharesMicro', () => venue.shares.get(tokenId) ?? 0),
    books: (tokenIds) => guard('books', () => tokenIds.map((tokenId) => makeBook(tokenId, venue.bidPips))),
    terms: () =>
      guard('terms', () => ({
        conditionId: '0x1',
        fee: { rate: 0, exponent: 1 },
        feePaidIn: 'shares' as const,
        isClosed: venue.winner !== null,
        winningTokenId: venue.winner,
      })),
    heartbeat: () => guard('heartbeat', () => {}),
    watch: () => () => {},
  };
  function end(matches: (order: VenueOrder) => boolean): string[] {
    const ended = venue.orders.filter((order) => order.isLive && matches(order));
    for (const order of ended) order.isLive = false;
    return ended.map(({ orderId }) => orderId);
  }
  return venue;
}
