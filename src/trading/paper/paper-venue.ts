// A paper venue: real books and trades, invisible orders. Fills are pessimistic: late, partial, and marked if
// no later trade confirms them.

import { randomBytes } from 'node:crypto';
import { usdMicroFor } from '../../domain/micro-units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { bookFill } from '../books/books.ts';
import type { Fill, MarketTerms, OrderRequest, Venue, VenueBook, VenueOrder } from '../types.ts';
import { confirms, type PaperFill, type Print, passPrint, queueAhead, takeLevels } from './fill-model.ts';

/** Public data of a market: books, trades, and fees. */
export interface MarketFeed {
  book(tokenId: string): Promise<VenueBook>;
  terms(tokenId: string): Promise<MarketTerms>;
  /** After a time, oldest first. */
  printsSince(tokenId: string, ts: number): Print[];
  /** Subscribes to the trades of a token. */
  watch(tokenId: string): void;
}

export interface PaperVenueOptions {
  feed: MarketFeed;
  clock: Clock;
  cashMicro: number;
  shares: ReadonlyMap<string, number>;
  /** Latency from the decision to the book. */
  latencyMs?: number;
  /** Share of a level that one order gets; the rest goes to others. */
  takeShare?: number;
}

interface PaperOrder extends VenueOrder {
  arrivesTs: number;
  /** null until it has arrived. */
  aheadMicro: number | null;
  heardTs: number;
}

interface PaperTrade {
  fill: Fill;
  changedTs: number;
}

const LATENCY_MS = 400;
const TAKE_SHARE = 0.5;
const CONFIRM_MS = 10 * 60_000;
/** Shares taken from a level are not offered again for this long. */
const TAKEN_MS = 5 * 60_000;

export function createPaperVenue(options: PaperVenueOptions): Venue {
  const { feed, clock } = options;
  const latencyMs = options.latencyMs ?? LATENCY_MS;
  const takeShare = options.takeShare ?? TAKE_SHARE;
  const orders = new Map<string, PaperOrder>();
  const trades: PaperTrade[] = [];
  const taken: { tokenId: string; pricePips: number; sizeMicro: number; ts: number }[] = [];
  const shares = new Map(options.shares);
  let cashMicro = options.cashMicro;

  function takenMicro(tokenId: string, pricePips: number, nowTs: number): number {
    return taken
      .filter((one) => one.tokenId === tokenId && one.pricePips === pricePips && nowTs - one.ts < TAKEN_MS)
      .reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
  }

  async function fillOrder(
    order: PaperOrder,
    filled: PaperFill,
    isTaker: boolean,
    ts: number,
  ): Promise<void> {
    const { fee, feePaidIn } = await feed.terms(order.tokenId);
    const fill: Fill = {
      fillId: randomBytes(12).toString('hex'),
      orderId: order.orderId,
      tokenId: order.tokenId,
      action: order.action,
      ...filled,
      isTaker,
      status: 'confirmed',
      ts,
      isPhantom: true,
    };
    const booked = bookFill(fill, fee, feePaidIn);
    const usdMicro = usdMicroFor(fill.sizeMicro, fill.pricePips);
    const sign = fill.action === 'BUY' ? 1 : -1;
    cashMicro -= sign * usdMicro + booked.feeUsdMicro;
    shares.set(
      order.tokenId,
      (shares.get(order.tokenId) ?? 0) + sign * fill.sizeMicro - booked.feeSharesMicro,
    );
    order.matchedMicro += fill.sizeMicro;
    if (order.matchedMicro >= order.sizeMicro) order.isLive = false;
    trades.push({ fill, changedTs: ts });
    if (isTaker)
      taken.push({ tokenId: order.tokenId, pricePips: fill.pricePips, sizeMicro: fill.sizeMicro, ts });
  }

  /** Takes what is within its limit, then joins the queue with the rest. */
  async function arrive(order: PaperOrder, book: VenueBook, nowTs: number): Promise<void> {
    // An arrival that failed halfway has filled a part.
    const openMicro = order.sizeMicro - order.matchedMicro;
    const fills = takeLevels(order.action, order.pricePips, openMicro, book, takeShare, (pricePips) =>
      takenMicro(order.tokenId, pricePips, nowTs),
    );
    for (const fill of fills) await fillOrder(order, fill, true, nowTs);
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
        await fillOrder(order, { pricePips, sizeMicro: passed.filledMicro }, false, print.ts);
    }
  }

  function confirmFills(): void {
    for (const trade of trades) {
      const { fill } = trade;
      if (!fill.isPhantom || clock.now() > fill.ts + 2 * CONFIRM_MS) continue;
      const print = feed.printsSince(fill.tokenId, fill.ts).find((one) => confirms(fill, one, CONFIRM_MS));
      if (!print) continue;
      fill.isPhantom = false;
      trade.changedTs = clock.now();
    }
  }

  /** Replays the market up to now. */
  async function advance(): Promise<void> {
    const nowTs = clock.now();
    for (const order of orders.values()) {
      if (!order.isLive) continue;
      if (order.aheadMicro === null) {
        if (order.arrivesTs <= nowTs) await arrive(order, await feed.book(order.tokenId), nowTs);
      } else {
        await hearPrints(order);
      }
    }
    confirmFills();
    await redeem();
  }

  async function redeem(): Promise<void> {
    for (const [tokenId, sharesMicro] of shares) {
      if (sharesMicro <= 0) continue;
      const { winningTokenId } = await feed.terms(tokenId);
      if (winningTokenId === null) continue;
      if (winningTokenId === tokenId) cashMicro += sharesMicro;
      shares.delete(tokenId);
    }
  }

  function cancel(orderIds: readonly string[]): void {
    for (const id of orderIds) {
      const order = orders.get(id);
      if (order) order.isLive = false;
    }
  }

  function add({ tokenId, action, pricePips, sizeMicro }: OrderRequest, orderId: string): void {
    feed.watch(tokenId);
    orders.set(orderId, {
      orderId,
      tokenId,
      action,
      pricePips,
      sizeMicro,
      matchedMicro: 0,
      isLive: true,
      arrivesTs: clock.now() + latencyMs,
      aheadMicro: null,
      heardTs: clock.now(),
    });
  }

  return {
    name: 'paper',
    checkAccess: async () => ({ isAllowed: true, reason: '' }),
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
    fillsSince: async (ts) =>
      trades.filter(({ changedTs }) => changedTs >= ts).map(({ fill }) => ({ ...fill })),
    cashMicro: async () => cashMicro,
    sharesMicro: async (tokenId) => shares.get(tokenId) ?? 0,
    async books(tokenIds) {
      const books = await Promise.allSettled(tokenIds.map((tokenId) => feed.book(tokenId)));
      return books.flatMap((book) => (book.status === 'fulfilled' ? [book.value] : []));
    },
    terms: (tokenId) => feed.terms(tokenId),
    heartbeat: async () => {},
    watch: () => () => {},
  };
}
