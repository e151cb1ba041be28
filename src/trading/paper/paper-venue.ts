// A paper venue: real books and trades, but orders that the market does not see. Fills are pessimistic: late,
// partial, and marked as phantom unless a later trade confirms them.

import { randomBytes } from 'node:crypto';
import type { OrderRequest, Venue, VenueBook } from '../types.ts';
import { passPrint, queueAhead, takeLevels } from './fill-model.ts';
import { openPaperAccount, type PaperAccountOptions, type PaperOrder } from './paper-account.ts';

/** Time from the decision until the order reaches the book. */
const LATENCY_MS = 400;
/** Fraction of a level that one order gets; the rest goes to others. */
const TAKE_SHARE = 0.5;

export function createPaperVenue(options: PaperAccountOptions): Venue {
  const { feed, clock } = options;
  const orders = new Map<string, PaperOrder>();
  const account = openPaperAccount(options);

  /** Takes what is available within its limit, then queues the rest. */
  async function arrive(order: PaperOrder, book: VenueBook, nowTs: number): Promise<void> {
    // An earlier attempt that failed partway may have filled part of the order.
    const openMicro = order.sizeMicro - order.matchedMicro;
    const fills = takeLevels(order.action, order.pricePips, openMicro, book, TAKE_SHARE, (pricePips) =>
      account.takenMicro(order.tokenId, pricePips, nowTs),
    );
    for (const fill of fills) await account.fill(order, fill, true, nowTs);
    order.aheadMicro = queueAhead(order.action, order.pricePips, book);
    order.heardTs = nowTs;
  }

  async function hearPrints(order: PaperOrder): Promise<void> {
    for (const print of feed.printsSince(order.tokenId, order.heardTs)) {
      order.heardTs = Math.max(order.heardTs, print.ts);
      if (!order.isLive || order.aheadMicro === null) return;
      const { action, pricePips, aheadMicro } = order;
      const openMicro = order.sizeMicro - order.matchedMicro;
      const passed = passPrint({ action, pricePips, openMicro, aheadMicro }, print);
      order.aheadMicro = passed.aheadMicro;
      if (passed.filledMicro > 0)
        await account.fill(order, { pricePips, sizeMicro: passed.filledMicro }, false, print.ts);
    }
  }

  /** Replays the market up to now. */
  async function advance(): Promise<void> {
    const nowTs = clock.now();
    for (const order of orders.values()) {
      if (!order.isLive) continue;
      if (order.expiresTs <= nowTs) {
        order.isLive = false;
      } else if (order.aheadMicro === null) {
        if (order.arrivesTs <= nowTs) await arrive(order, await feed.book(order.tokenId), nowTs);
      } else {
        await hearPrints(order);
      }
    }
    account.confirmFills();
    await account.redeem();
  }

  /** Returns the orders that were open. */
  function cancel(orderIds: readonly string[]): string[] {
    const open = orderIds.filter((id) => orders.get(id)?.isLive);
    for (const id of open) orders.get(id)!.isLive = false;
    return open;
  }

  function add({ tokenId, action, pricePips, sizeMicro, expiresTs }: OrderRequest, orderId: string): void {
    feed.watch(tokenId);
    orders.set(orderId, {
      orderId,
      tokenId,
      action,
      pricePips,
      sizeMicro,
      expiresTs,
      matchedMicro: 0,
      isLive: true,
      arrivesTs: clock.now() + LATENCY_MS,
      aheadMicro: null,
      heardTs: clock.now(),
    });
  }

  return {
    name: 'paper',
    checkAccess: async () => ({ isAllowed: true, reason: '' }),
    time: async () => clock.now(),
    prepare: async (request) => ({
      orderId: `paper-${randomBytes(12).toString('hex')}`,
      payload: JSON.stringify(request),
    }),
    async send({ orderId, payload }) {
      add(JSON.parse(payload) as OrderRequest, orderId);
      return { kind: 'accepted' };
    },
    cancel: async (orderIds) => cancel(orderIds),
    cancelAll: async () => cancel([...orders.keys()]),
    async openOrders() {
      await advance();
      return [...orders.values()].filter(({ isLive }) => isLive);
    },
    findOrder: async (orderId) => orders.get(orderId) ?? null,
    fillsSince: async (ts) => account.fillsSince(ts),
    cashMicro: async () => account.cashMicro(),
    sharesMicro: async (tokenId) => account.sharesMicro(tokenId),
    async books(tokenIds) {
      const books = await Promise.allSettled(tokenIds.map((tokenId) => feed.book(tokenId)));
      return books.flatMap((book) => (book.status === 'fulfilled' ? [book.value] : []));
    },
    terms: (tokenId) => feed.terms(tokenId),
    heartbeat: async () => {},
    watch: () => () => {},
  };
}
